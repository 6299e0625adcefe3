"""A sweep on a cluster of Dask: python dask_sweep.py LOG OUT SHARDS, OUT on a disk that all nodes see."""
import sys

import bourse
import dask

log, out, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
shard = dask.delayed(lambda i: bourse.sweep(log, ["easy", "fcfs"], replicas=5, out=out, shard=f"{i}/{n}", workers=1))
dask.compute(*[shard(i) for i in range(n)])
print(bourse.merge(out))
