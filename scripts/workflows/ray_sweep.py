"""A sweep on a cluster of Ray: python ray_sweep.py LOG OUT SHARDS, OUT on a disk that all nodes see."""
import sys

import bourse
import ray

log, out, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
shard = ray.remote(lambda i: bourse.sweep(log, ["easy", "fcfs"], replicas=5, out=out, shard=f"{i}/{n}", workers=1))
ray.get([shard.remote(i) for i in range(n)])
print(bourse.merge(out))
