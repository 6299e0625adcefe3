// Package learn lets owners learn what to bid. Each agent, a user or the aggressive group as
// one, plays one multiple f of its jobs' values (Actions) for an epoch: a week, by submission,
// or the whole replay of a resampled log. Its payoff is
//
//	g = sum w p tau / sum (w p phi + P)
//
// over its jobs submitted in the epoch, in (0, 1]: 1 if they run at once and for nothing. It
// is credited when the last of them has ended, so that later epochs may have begun by then;
// epochs without jobs do not count.
//
// By Hedge an agent learns what all actions would have paid: where its first job of the
// epoch comes, the replay is copied for each action, the agent's jobs of the epoch bid so
// in the copy, and it is followed until they have ended. Others bid there as they do, in
// epochs not yet begun by what they know now. weights *= exp(eta g), eta = sqrt(8 ln K / T);
// against the best fixed action it loses sqrt(T ln K / 2) at most. That is K copies for each
// agent and epoch; Config.Ask bounds the agents asked, who are drawn anew each epoch, and
// those not asked learn nothing from it. A week's copies go through about a week, so that
// weeks cost K replays of the log for each agent, and whole replays K for each in each epoch.
//
// By EXP3 an agent learns only what the action it drew has paid, q being its probability:
// q = (1 - gamma) weights + gamma/K, weights *= exp(gamma g / (q K)), gamma = min(1,
// sqrt(K ln K / ((e-1) T))), expected loss at most 2 sqrt(e-1) sqrt(T K ln K) (Auer,
// Cesa-Bianchi, Freund, Schapire 2002). An epoch costs one replay for all agents at once.
//
// What is learnt is compared with honesty and with the game that learners play, in which
// each agent chooses one multiple for the whole log (the last one replayed), its payoff being
// the mean of its epochs'. A pure symmetric equilibrium of it is a multiple f such that, if all
// agents bid f, none gains by bidding another one alone. For each f one replay in which all bid
// it says what they get, and where an agent asked first comes copies say what it would get by
// each other multiple. Config.Movers bounds the agents asked, drawn at random, so that f is an
// equilibrium as far as they tell; gains up to a thousandth of the payoff count as none. Of several
// equilibria the nearest to honesty is taken, and if there is none, the f at which those asked
// gain least on average. That is K replays and K (K-1) copies for each agent asked, all
// payments billed side by side. If one agent learns for all, the
// equilibrium is simply its best multiple. Multiples between and beyond Actions are not tried.
package learn
