"""Teaches a linear score of jobs to schedule, by the cross-entropy method, and holds it
against choice at random on workloads that it has not seen.

    python3 learn.py [--bourse bin/bourse] [--rounds 6] [--candidates 12]
"""
import argparse
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from bourse_gym import BourseEnv

LOG = "synth:lublin?jobs=150&procs=32&seed={seed}"
K = 8


def by_score(weights):
    """Starts the job of the highest score among those that fit; never none."""
    def choose(env, seen):
        jobs = seen[:K]
        score = jobs[:, 2:] @ weights
        score[~env.action_masks()[:K]] = -np.inf
        return int(score.argmax())
    return choose


def at_random(env, seen):
    """Starts one of those that fit, each as likely; never none."""
    return int(env.random.choice(np.flatnonzero(env.action_masks()[:K])))


def play(bourse, choose, seed):
    """The mean bounded slowdown of a workload."""
    with BourseEnv(LOG, K, "bounded_slowdown", bourse) as env:
        seen, _ = env.reset(seed=seed)
        done, total = False, 0.0
        while not done:
            seen, reward, done, _, _ = env.step(choose(env, seen))
            total += reward
        return -total / len(env.ended)


def mean(pool, bourse, choices, seeds):
    """For each way of choosing its mean over the workloads; two replays run side by side."""
    played = [[pool.submit(play, bourse, c, s) for s in seeds] for c in choices]
    return np.array([np.mean([p.result() for p in row]) for row in played])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bourse", default="bourse")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--candidates", type=int, default=12)
    args = parser.parse_args()
    random = np.random.default_rng(1)
    centre, spread = np.zeros(3), np.ones(3)
    with ThreadPoolExecutor(2) as pool:
        for n in range(args.rounds):
            weights = centre + spread * random.standard_normal((args.candidates, 3))
            cost = mean(pool, args.bourse, [by_score(w) for w in weights], (1, 2, 3))
            best = weights[np.argsort(cost, kind="stable")[:max(2, args.candidates // 4)]]
            centre, spread = best.mean(axis=0), best.std(axis=0) + 0.05
            print(f"round {n + 1}: best {cost.min():.2f}, mean {cost.mean():.2f}", flush=True)
        unseen = range(101, 109)
        learned, chance = mean(pool, args.bourse, [by_score(centre), at_random], unseen)
    print("weights of processors, wait and request:", np.round(centre, 2))
    print(f"mean bounded slowdown on unseen workloads: learned {learned:.2f}, random {chance:.2f}")


if __name__ == "__main__":
    main()
