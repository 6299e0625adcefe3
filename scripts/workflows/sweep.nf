// A sweep as a workflow of Nextflow: a task for each shard, and one that merges. A shard that is retried or resumed goes on where
// it stopped: finished cells are skipped. The folder of the sweep is one that all tasks can write to.
//
//   nextflow run sweep.nf --log log.swf.gz --args '--policy easy,conservative --replicas 5' --shards 8 --out cells -resume

params.log = 'log.swf'
params.args = '--policy easy,fcfs --replicas 5'
params.shards = 4
params.out = 'cells'
out = file(params.out).toAbsolutePath()

process shard {
    errorStrategy 'retry'
    maxRetries 2

    input:
    path log
    each i

    output:
    val i

    script:
    """
    bourse sweep ${log} ${params.args} --out ${out} --shard ${i}/${params.shards} --workers 1 -q
    """
}

process merge {
    input:
    val shards

    script:
    """
    bourse merge ${out}
    """
}

workflow {
    shards = Channel.of(0..<(params.shards as int)).flatten().toList()
    merge(shard(file(params.log), shards).collect())
}
