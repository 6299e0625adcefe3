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
package learn
