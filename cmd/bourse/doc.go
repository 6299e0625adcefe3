/*
Bourse replays cluster logs through schedulers and markets, one record per job.

# A first replay

A trace is a file, standard input (-), or a model that generates one. Without
--out a replay prints its summary only. Where nothing else is said the policy is EASY and
nobody pays; a policy that ranks by bid, --payment, --behaviour, --values or --bids asks for a
market, whose policy is hb and whose payment is kth unless others are named.

	$ bourse replay log.swf --behaviour srg
	$ bourse replay 'synth:lublin?jobs=1000&procs=64&seed=7' --policy fcfs

The summary shows the number of jobs, mean, median and 95th percentile (p95) of their
waits, and mean and p95 of the bounded slowdown: time from submission to end over run
time, where a run time below 10 s counts as 10 s and a slowdown below 1 as 1. --bound
names another time than 10 s. The row "recorded" says what the log itself records of the
same jobs; it is left out where they are resampled, shaken, loaded otherwise or react. In
a market there is a row per band of private value (up to 60, below 120, and from 120 on
per processor-second), with means of payment and utility. Below are the machine's
utilisation, an account of every record read, and notes where a result may not be what
it seems: jobs larger than the machine left out; a policy that starts jobs strictly in
its order, under which jobs waited for over 5 % of the makespan while a tenth of the
machine or more was idle; a queue that had not drained at the last submission (the last
job began over a day, and over 2 % of the time of submissions, after it); a mean wait over
ten times the recorded one and an hour above it. summary.json has them as "warnings".

	$ bourse replay log.swf --bound 1m

# Which jobs

--where keeps the records for which an expression holds. It may use job, submit,
wait, run, procs, estimate, memory, status, user, group, queue, partition, task,
cpu, priority, class and attempt, as recorded, times in seconds, -1 where unknown.

	$ bourse replay log.swf --where 'run > 0 && user != 3'
	$ bourse replay log.swf --from 200 --until 800 --nodes 8

--queue-limits says which jobs a queue accepts: a condition like that of --where for each,
by the trace's name or number, * for those not named and for jobs without. Jobs over
their queue's limits are dropped and counted. A queue's priority is an order like
any other: queue, user and the like are names in expr and priority.

	$ bourse replay log.swf --queue-limits '1: procs <= 2 && estimate <= 3600; *: procs <= 64'
	$ bourse replay log.swf --policy 'easy(order=expr(queue))' --payment none
	$ bourse replay log.swf --policy 'priority(by=queue==2?0:1)' --payment none

--serial makes a job of p processors p jobs of one, which share one value and one
bid. --load-factor 1.2 divides the times between submissions by 1.2. --nodes
replaces the machine's size given by the trace; larger jobs are dropped and
counted.

# Replicas and edges

One log is one sample. --resample makes others from its users, by the method of Zakay
and Feitelson: long-term users start in a random week of the log and wrap around,
temporary users begin in a random week, and all keep their hours and days of the week.
It gives as many logs as there are seeds, of any length and load. --shake moves each submission a little,
which shows how much of a result is due to chance. --replicas 4 of a sweep is
short for --seeds 4 --resample.

	$ bourse replay log.swf --resample --seed 2
	$ bourse replay log.swf --resample=weeks=8,users=1.5 --shake 60
	$ bourse sweep log.swf --policy fcfs,easy --payment none --replicas 4 --out replicas
	$ bourse compare replicas

Jobs at the edges of a log find an emptier machine: --warm-up and --cool-down
leave those of the first and last days out of what the summary says of jobs. They are
replayed, and the records include them. The machine's figures (utilisation,
makespan, preemptions, work lost) and the table of users are those of the whole replay.

	$ bourse replay log.swf --warm-up 60 --cool-down 1min --policy easy --payment none

In a log users wait for their jobs before they submit more. --feedback preserves that
where the log says which job waited for which (SWF's preceding job and think time): such a
job is submitted when the other has ended in this replay, after its think time, be
that earlier or later than recorded. The trace is read into memory for it. A job
that follows one that is not replayed or itself is submitted as recorded, a circle
is broken at its first job in the trace; all of them are counted below the summary.

	$ bourse replay log.swf --feedback --policy easy --payment none

trace inspect names flurries, weeks in which one user's jobs outweigh all
others, and the --where that leaves them out.

# Policies and payments

Policies, payments, values and behaviours are names with parameters; list --json prints
them for programs.

	$ bourse list policies
	$ bourse replay log.swf --policy nphb --payment kth --behaviour 'srg(beta=.5,share=.2)'
	$ bourse replay log.swf --policy wspt --payment posted:3 --values 'bimodal(high=120)'
	$ bourse replay log.swf --policy hb --payment first --migration-cost 30 --check

--check looks at every job in the system at every instant: logs of clusters take
seconds, a Google trace with its tens of thousands of running tasks would take hours.

Under hb a better bid takes the processors of a worse one; preemption is free
unless --migration-cost adds seconds of lost work to each resumption. Jobs of
several processors start in order while the next one fits; the first that does not fit
blocks those behind it (no backfilling). On logs of parallel jobs that leaves much of
the machine idle; with fit=skip a job that does not fit is passed over, so it waits for
better bids only, and worse ones fill the hole that it leaves until it fits. A k-th price
is then what the job has to exceed to run, which depends on its width.

	$ bourse replay log.swf --policy 'hb(fit=skip)' --payment kth

The usual schedulers of parallel jobs are included: backfilling by estimates,
list schedulers by many orders (bourse list orders), and preemptive ones. EASY
takes any order for its queue and for backfilling.

	$ bourse list orders
	$ bourse replay log.swf --policy 'easy(order=wfp3,backfill=sjf)' --payment none
	$ bourse replay log.swf --policy 'fairshare(halflife=86400)' --payment none
	$ bourse replay log.swf --policy 'expr(-bid * procs)'
	$ bourse replay log.swf --policy 'priority(queue)' --payment none

The policy recorded decides nothing: jobs start when the log says, for its series, pages and a
place in comparisons. Where logs hold more than the machine, jobs wait in order of recorded
start, up to the first that does not fit, and the summary counts them and says how late they
were; jobs whose wait is unknown start when they are submitted, and are counted, too.

	$ bourse replay log.swf --policy recorded

validate says how near a simulation of a log is: for each policy the quantiles of simulated
less recorded waits, the mean error beside that of taking the recorded median for every wait,
how well the order of the waits agrees (Spearman), and how far the use of the machine is off by
week; which queue, width or week the differences come from; and the answer in a sentence. What
logs do not have, priorities, reservations, limits, nodes that were down, is in the recorded
waits only, so that a policy is not wrong because it is far from a log. Jobs whose wait is
unknown are replayed and in none of the figures. --out has the weeks, --parts queues, widths
and weeks, --page makes a page with figures in a new directory. A schedule written by --swf is
a log like any other.

	$ bourse replay log.swf --policy conservative --swf conservative.swf
	$ bourse validate conservative.swf --policy easy,conservative,fcfs
	$ bourse validate conservative.swf --policy recorded,easy --out weeks.csv --parts parts.csv --format csv
	$ bourse validate conservative.swf --page near

A job for which an expression gives no number, as 0/0, ranks last; the summary counts
such ranks. Users, groups, queues and partitions that are whole numbers have their
value in every format. Names have no order: a policy that would rank a job by one
stops the replay, while --where compares a label with a number or with text.

Simulators differ in what they do with events of one instant. Here a policy
decides once, after all of them; easy(tie=pyss) decides as the simulator pyss
does, job by job.

Estimates are the log's where a policy needs them; where the log has none, the
run time is used and the summary counts them. --estimates exact makes them
the run times, scale:2 twice those, log:2 twice the log's; tsafrir draws them from
the model of Tsafrir, Etsion and Feitelson. A job that exceeds its estimate runs
on unless --kill-at-estimate ends it; each policy says in bourse list policies and
its documentation how it handles that.

	$ bourse replay log.swf --policy conservative --payment none --estimates tsafrir --kill-at-estimate

--resubmit-killed submits a job that --kill-at-estimate has ended again at the same
instant, after all earlier arrivals, with twice its estimate (a second at least)
and all its work to redo, until it completes. It stays one job with one
record: its wait is all the time that was not its last attempt, restarts counts the
attempts that failed, and lost_s has their work, which is billed.

	$ bourse replay log.swf --policy easy --payment none --estimates scale:.5 --kill-at-estimate --resubmit-killed

compare says which policy is best by a measure: --metric bounded_slowdown (the default),
wait, median, p95, utilisation, utility, payment, revenue and so on. Rows are in its order,
with the difference to the best, or to the --baseline, job by job, and half of its 95 %
interval. * is the best row, ~ marks those that may be as good; bourse help methods says
how that is tested. The last line is the answer in words. Columns that are alike in all
rows are said once below, and a row "recorded" has what the log says of itself.

	$ bourse compare log.swf --policy 'fcfs,easy,easy(backfill=sjf),conservative,srpt'

--by user, group, queue or size (of jobs, in processors) asks who gains and who loses: how
many, how the change is distributed, and the ten with the largest gains and losses, with an
interval for those with 40 jobs or more.

	$ bourse compare log.swf --policy fcfs,easy --metric wait --baseline fcfs --by user

--format markdown and latex print the tables for documents, csv a line for each replica
with all digits, json the same with intervals, verdicts and answers.

	$ bourse compare log.swf --policy fcfs,easy --by size --format latex

--preemption restart lets a preempted job begin again, its work lost. srpt and priority
take preemptions=N: a job preempted N times keeps its processors from then on.

	$ bourse replay log.swf --policy 'srpt(preemptions=2)' --payment none --preemption restart

A policy may name its own payment scheme, after a slash; fairness
(Jain's index of the users' mean bounded slowdowns), revenue, utility and efficiency (how
near the best possible schedule is; bourse help methods) are then shown beside the waits.

	$ bourse compare log.swf --policy hb/first,hb/kth,drf,lend:fl,price-anticipating

A job may be worth less the later it ends: --values deadline puts a deadline on the values
of another model, --values steps lets the worth, value x processors x run time, fall in
steps. Utility is then what the job is worth when it ends less what it pays; what share of
all worth was realised is said below the table. hvd and edf serve such jobs.

	$ bourse compare log.swf --values 'deadline(slack=.5/3)' --policy 'hb(fit=skip),hvd,edf' --metric realised

A bid table replaces both models. Rows with a time change a job's bid until it
ends. The columns worth_until_s and worth_factors, as in 9540-11340 and 10-8, are the steps
of what the job is worth: seconds after its submission, and parts of the first.

	$ bourse replay log.swf --bids bids.csv

# What jobs run on

By default a trace's machine is its number of processors. A Google trace's jobs
(its tasks) ask for parts of a machine: its pool holds the CPU and memory of all
machines present when the trace begins, and jobs take what they ask for.
Other logs can be put on a pool too, in their own units; a processor counts 1 CPU
and memory is as requested per processor. A pool may also have GPUs, shares of which add up,
and disk; what jobs ask for and the pool lacks keeps them out. hb, nphb, the list schedulers whose order
is fixed when jobs arrive, srpt and priority plan on pools, and so do the sharing
policies; if none is named it is fcfs, which passes over jobs that do not fit. A job pays for its size, a column of its record: its processors, or its
dominant share of the pool times the machines in it. A pool of C declared CPUs counts
as C machines, whatever the log says of the machine it comes from.

	$ bourse replay log.swf --machines 'pool(cpu=8,memory=1e9)' --policy hb --payment kth
	$ bourse replay pods.csv --machines 'pool(cpu=64,memory=262144,gpu=8)' --policy drf
	$ bourse replay pods.csv --machines 'pool(cpu=64,memory=262144,gpu=8)' --policy 'expr(-gpu)' --where 'gpu > 0'

--machines trace takes a Google trace's own machines, which are added, changed and removed:
each job is placed on one of them by first, best or worst fit or by the dot product
of need and room, and is evicted when its machine is removed. priority preempts lower
classes there, on the first machine where that makes room. For a trace that was
converted, trace(events=DIR) names the folder with machine_events.

A table of machines, CSV or Parquet, does the same for any trace: columns cpu (cores) or
cpu_milli and, if it has them, memory in the unit of the jobs', machine, gpu (devices),
gpu_model, and time_s with event (add, update, remove). A job of several processors is
placed in as many pieces, each on one machine, all at once. What it asks for of GPUs is of
whole devices of one machine, or a share of one device, of a model that it allows. On such
machines there are more rules (bourse list fits), each by scores from 0 to 100, ties in the
order of the table: packing, clustering, least-dot, random and fgd, fragmentation gradient
descent (Weng et al., USENIX ATC 2023). The summary says how many of the free GPUs no
typical job could use, typical being what has been asked for so far.

	$ bourse replay pods.csv --machines 'nodes.csv(fit=fgd)' --policy fcfs
	$ bourse replay log.swf --machines nodes.csv --policy sjf

--values priority maps a trace's priorities to what jobs are worth, tier by tier.

	$ bourse replay log.swf --policy hb --payment kth --values 'priority(tiers=0:20/9:160)'

In Google traces --attempts defines the job of a task that was evicted or
failed and tried again: the last attempt is the job, each of them is, or all
together are. Tasks that never end are left out unless --censored keep. A cell of
2019 that is too large for this machine is turned into a workload table in DuckDB or
BigQuery by scripts/google2019.sql.

# Queues with quotas

Under quota each queue, a label of the jobs, has a nominal quota of the machine, may borrow
what others leave, and gets its own back by stopping jobs of queues that borrow. Quotas are
a list, or a table in TOML, whose queues may be in cohorts with limits and weights; bourse
help methods defines what they mean. Quotas are parts of their sum: those that add up to the
processors are processors.

	$ bourse replay log.swf --policy 'quota(nominal=0:60/*:40)' --payment none
	$ bourse compare log.swf --policy 'easy,quota(table=queues.toml,by=user,fair=true)' --by user

The table of the second example:

	[[cohort]]
	name = "research"

	[[queue]]
	name = 1             # as the log has it; "*" is all others
	cohort = "research"  # without: the machine itself
	nominal = 40
	borrow = 20          # above the nominal quota; without: no limit
	lend = 10            # of the nominal quota; without: all
	weight = 2           # of its share value; without: 1

	[[queue]]
	name = "*"
	nominal = 60

# Sharing among users

drf, nash, unb, bal, bal*, hybrid and family:G share the machine among the trace's users
whenever a job arrives or ends: a user asks for what its unfinished jobs need, its
older jobs come first, and jobs progress at the rates won. nash, the largest product of
dominant shares, is for pools; on processors it would be drf. ftf is finish-time fairness on
processors: the largest quotient of the time to finish and what that would be with an equal
part of the machine alone is made least. lend:MECHANISM shares
processors in rounds by the mechanisms of bourse lend; debts are kept over
a season of rounds. Under price-anticipating users with an income bid for
shares of divisible machines and pay what they bid. --users writes one row per user:
slowdown, bill, shares held and entitled to, shortfall and envy.

	$ bourse replay log.swf --policy drf --users users.csv
	$ bourse replay log.swf --policy 'bal*' --machines 'pool(cpu=8,memory=1e9)'
	$ bourse compare log.swf --policy 'drf,ftf,ftf(by=estimate)' --by user
	$ bourse replay log.swf --policy 'lend(fl,every=60,rounds=100)'
	$ bourse replay log.swf --policy 'price-anticipating(weights=uniform)'

# Records

--out DIR writes jobs, one row per job in order of completion, with a summary and
a manifest. --segments adds the stretches that bills are made of, --series the
state of the system over time, at every change or, with =TIME, on a grid. Columns are documented by bourse list columns.

	$ bourse replay log.swf --behaviour srg --segments --series=60 --out out
	$ bourse replay log.swf --policy fcfs --out out2
	$ bourse compare out out2
	$ bourse replay log.swf --out - --format csv

--causes says what jobs waited for, and adds a column of seconds for each cause to the
records; those of a job add up to its wait. The time before its first start is divided
into times behind others, for room, for room on one machine of a cluster, and held back
by the policy, as bourse help methods defines them; later ones by what stopped the job.
It works under every policy and takes about a fifth more time.

	$ bourse replay log.swf --causes

--swf FILE writes the schedule as a log in SWF, in order of submission: the waits
are the simulated ones, all else is the log's. What reads SWF reads it, bourse too.

	$ bourse replay log.swf --policy easy --payment none --swf easy.swf
	$ bourse trace inspect easy.swf

--perfetto FILE writes a timeline that https://ui.perfetto.dev opens (nothing is
uploaded there) and Perfetto's trace processor queries: a slice for each stretch of
running on the tracks of its first processor or of its machine, a slice for each job on
its user's track with its bid, payment and slowdown, counters for queue, use and price,
and an arrow from the start of a job to those that it preempted. A long trace makes a
large file: --perfetto-window 12d..14d keeps a part of the time, --perfetto-sample 10 one
job in ten.

	$ bourse replay log.swf --policy hb --perfetto hb.pftrace

Files are written under temporary names, .bourse-*, and get their final ones together when
all are complete, the manifest last. What a killed program leaves is put right by the next
command that reads or writes there, and a directory has one writer at a time. One that
holds a run, and the file of --swf or --users, is not overwritten without --overwrite; the
trace being read never is. The same input, flags and seed give the same bytes.

# Repeating a run

rerun repeats a finished run, sweep or study from its manifest, which holds the whole
scenario and the SHA-256 of its inputs, and compares the files with the existing ones. It
says "same bytes", or what differs: which file is missing, was changed or does not belong
there, in tables which columns, in how many rows, from which row on, and in JSON which
keys. --trace says where the trace is now (once for each of a sweep or a study, known by
its bytes or its name) and --bids where the table of bids is; another one is refused.
bourse help methods says by what a trace in a folder is known; names that begin with a dot
do not count. Files of --swf and --users are looked for in the run's folder and beside it,
and known by their hash if they are not there.

	$ bourse rerun out

--tolerance 1e-9 lets the figures of tables and JSON differ by that part of the larger one;
--hashes lets files that are not there count by their hashes in the manifest.

bundle makes one folder of a finished run, sweep or study, to be handed to a committee or an
archive: inputs, the command, the expected results, the SHA-256 of all, the traces' terms and
citations, time, memory and disk as measured by repeating the work from the folder,
ARTIFACT.md in the form that committees for artifact evaluation ask for, a description for
programs (RO-Crate 1.1, in ro-crate-metadata.json) and verify.sh, which repeats and compares
from wherever the folder is. A trace is copied if its licence allows that (bourse trace list
NAME tells its terms) and it has at most 100 MB; --copy-traces copies it in any case. Results
above 100 MB are known by their hashes. The day of publication is the one on which the
manifest was written, or that of $SOURCE_DATE_EPOCH; no other clock is read but for the time
that is measured, so that two bundles of one folder differ in nothing else.

	$ bourse bundle out --copy-traces --license CC-BY-4.0
	$ sh out-bundle/verify.sh

# An HTML page

report makes one HTML file of one or several such folders: what was run, what became of
the records, the summaries with the log's own waits beside them, how waits are
distributed, which sizes of jobs and which users wait, when the machine was overloaded,
who paid what where there is a market, and a Gantt chart where the replay kept
--segments: a rectangle for each job on its processors, for up to 100,000 rectangles;
--gantt 12d..14d shows a part of the time. Runs with one schedule and other bills are
drawn once. Times are dates where the log has them. The file makes no network requests;
tables can be sorted, series zoomed, charts saved as SVG and PNG. Its size does not grow
with the number of jobs.

	$ bourse report out out2 --out both.html

Of a sweep, report makes a page with one chart, whose measure, axis, lines and panels
the reader chooses, the intervals over the seeds, and a table that is saved as CSV.

	$ bourse report replicas

plot draws figures for papers: a measure of a sweep along any of its axes (--x), with a
line for each value of another (--series), small panels for a third (--panels) and
intervals over the seeds where these change something; or of finished runs how a column
of jobs is distributed. It writes SVG, PDF and PNG, the data as CSV, and a LaTeX snippet
with a caption that says what is shown and of how much.

	$ bourse plot replicas --x policy --y bounded_slowdown --out slowdown
	$ bourse plot out out2 --x wait_s --out waits

Runs of different traces are refused (--any-trace allows them), and so are folders whose
files are not those of their manifest. Series are those of --series, with every state, or
else computed from the records of jobs, with --segments also for those that were
preempted; the page says which.

# Why did this job wait, and what did it pay?

explain explains one job of a finished run, whose manifest says how it was replayed, or
of a trace, with the flags of replay: what it asked for; behind which jobs it waited when
it arrived and whenever it was stopped, which were preempted or ended to make room, and
which started meanwhile; what it waited for, by cause (as --causes of replay), so that
the parts add up to its wait; and the answer in a sentence. Where jobs pay, also its
receipt, price by price, which adds up to the payment of its record to the cent, and what
the other price schemes that fit the policy would have charged for the same schedule, with
its utility under each (posted at the reservation price).

	$ bourse replay log.swf --out out3
	$ bourse explain out3 --job 42
	$ bourse explain log.swf --job 42 --behaviour srg
	$ bourse explain log.swf --job 42 --policy drf --payment posted:2 --all
	$ bourse explain log.swf --job 3 --task 2 --serial

The trace of a finished run is looked for where it was, or where --trace says, and has to
have the same bytes; --bids says where the table of bids is. The replay is repeated until
the job has ended, if the log's numbers are those of single jobs.

Jobs are named with their processors (p; on a pool m, machines) and bids. A job
is ahead of another by bid where the policy ranks by bid, and by submission
elsewhere. Long timelines are cut in the middle and long receipts list means of
neighbouring prices; --all shows everything. Each line of a receipt is what the bill
grew by in whole cents, so it may differ by a cent from its own product. A number
that does not exist is answered with the nearest ones, or with the reason why its
record was dropped.

# Many replays

A sweep runs every combination of what its flags list; braces stand for
alternatives. Its directory is a data frame: pd.read_parquet("cells") in pandas,
FROM 'cells/*.parquet' in DuckDB and open_dataset("cells") in R's arrow read
cells.parquet, the aggregates of all replays with the axes as columns (bourse list
columns), written when the last replay has ended; rows with part = 'all' are totals.
Everything else is in the folder _sweep, which such readers pass by: the plan, the
manifest, and for each cell a folder with its summary.json and, with --records, its
jobs.parquet. There nodes=0 means the number of processors that the log tells.
Finished cells are skipped when the command is run again. Cells of one seed are
paired: values, who is aggressive, and all other draws are the same.

	$ bourse sweep log.swf --serial --policy hb,nphb,wspt --payment first,kth --behaviour 'srg(beta={.1,.5,.9})' --seeds 3 --out cells
	$ bourse game cells --without wspt --out game.csv

--machines, --estimates, --preemption and --shake may be lists, too; every other option
holds for all cells. A sweep ends with the table that compare prints of it, with 95 %
intervals over its seeds, paired by seed. Policies, payments and kinds of preemption are
compared under each combination of the other settings. With --by compare averages over
what is left out and warns. Where nothing is drawn seeds change nothing: sweep says so,
and there are no intervals.

	$ bourse sweep log.swf --policy easy,srpt --payment none --estimates log,exact --preemption resume,restart --seeds 2 --out cells2
	$ bourse compare cells2 --metric p95 --baseline 'easy/resume'
	$ bourse compare cells2 --by policy,estimates

In a job array each task runs its shard, given by --shard i/n or taken from Slurm's or
Kubernetes' variables, and bourse merge completes the dataset when all have ended
(scripts/sweep.sbatch, scripts/sweep-kubernetes.yaml; the guide beyond-one-machine).

game makes one game per payment scheme: the designer chooses the policy and
wants payments per weighted flow time, the aggressive users choose how deeply to
underbid. It prints payoffs, best responses, equilibria, statistical ties, and in
how many bootstrap resamples of the seeds an equilibrium remains one.

	$ bourse regret log.swf --serial --load-factor 2 --policy hb --payment first,kth --jobs 20

regret measures what sampled jobs would gain by another bid, all other bids held
fixed: the replay is forked when the job arrives and followed until it ends. With --bids
a job bids multiples of its value in the table, and its later bids there do not count;
jobs at the edges that --warm-up and --cool-down name are not asked; --check audits the
replay, not its forks.

	$ bourse truth log.swf --serial --load-factor 2 --policy hb,wspt --payment first,kth,critical,clarke --jobs 20

truth asks what makes honest bids pay, and what that costs: the same sampled jobs lie under
each policy and payment, and it prints how many gain, by how much, and what all pay if
honest as a share of what their flow times cost at their values (TWFT). Payments are the
schemes of bourse list payments, and two that are worked out from forks, after the job has
ended. critical:Z charges the time that the job's bid saves it against bidding Z, each
second at the bid at which it is won; the truth is then the best bid wherever flow times do
not rise with the bid, as under hb, and under nphb, wspt and wsept with jobs of one
processor. Z is the same for all; at 0 a job is measured against being last until the log
ends, so critical alone is both critical:0 and critical:1, the reservation price. A job
worth less than Z is paid for waiting longer than a bid of Z would. The bids at which a job
passes others are known under policies that rank by bid / scale, and are bisected until the
payment is known to a thousandth of wait and payment or --forks are spent; under others,
bids themselves are. What is left is printed as enclosed, and where flow times rose with
the bid that is counted. revenue_by_one_fork of --format csv and json is another
estimate, from one random bid a job. clarke charges what a job's coming costs all others at
their bids, which makes the truth best where the schedule costs least by the bids; it may
be negative. Neither is defined for tables with later bids. --replicas N asks N replicas of
the log, as sweep makes them, for intervals over them.

	$ bourse learn log.swf --least 5 --policy hb --payment first,kth,toll --epochs 6

learn lets owners find out what to bid. Users with at least --least jobs, or with --agents
group the aggressive group as one, choose a multiple of their values from 0.1 to 4 anew for
each epoch: a week of the log by submission (--epochs weeks), or the whole replay of a
resampled log (--epochs N, which takes --resample's parameters and --shake). What an epoch pays
is the sum of value x work of the jobs submitted in it by that of value x flow time and bills,
1 if all run at once and for nothing, credited when the last of them has ended. By --rule hedge
they learn what all bids would have paid, which forks tell: eight for each agent and epoch, of
as many agents as --ask says. By exp3 they learn what the bid they drew has paid: one replay an
epoch, but many epochs are needed, and part of the bids are drawn only to explore. With short
logs, as in --resample=weeks=4, hundreds of epochs cost little; with --resample=weeks=200
--epochs weeks one long log has as many. The mean multiple by epoch, what would have been
gained by the best fixed one (regret), efficiency, flow times and revenue of the last quarter
are printed beside the same jobs if everybody is honest, and what pays agents best if all of
them bid the same. So is the equilibrium of the game in which each chooses one multiple for the
whole last log: if all bid it, nobody gains by another one alone. --movers agents, drawn at
random, are asked what they would gain, for which each of the 8 multiples takes a replay and 7
forks an agent, whatever the payments; if every multiple lets somebody gain more than 0.001 of
payoff, that of the least mean gain is marked ~, with that gain. One agent's equilibrium is
what pays it best. Critical and Clarke payments come after the jobs have ended, and nobody can
learn from them here. --figure draws the paths, --out has every agent and epoch, and what those
asked would gain by moving alone. Others bid as --behaviour says. Policies that ignore bids,
tables of bids, values with deadlines or steps and --feedback are refused.

# Traces

	$ bourse trace inspect log.swf
	$ bourse trace synth 'lublin?jobs=500&procs=32' synthetic.swf.gz
	$ bourse trace convert log.swf log.parquet --where 'procs <= 2'

Public traces have names, as kth-sp2 and openb: wherever a trace is named, a name that is no
file stands for one of the catalogue. trace list says where each is published, under which
terms, what to cite and to mind, and how large the machine was; with a name it says all. trace
get NAME fetches it into the folder of $BOURSE_TRACES, or else into one in the user's cache: a
download that was cut is gone on with, what has another SHA-256 than the catalogue's is not
kept, and a file that is there already is never replaced. --url names a mirror. Where there is
no network, put the file there, or in a folder below: it is known by its name as published,
packed or not, and trace verify says whether its bytes, or what is in it, are the catalogue's.
A trace whose place is not known for certain says where to ask.

	$ bourse trace list
	$ bourse trace list kth-sp2 openb --format json
	$ bourse trace verify

Besides SWF, bourse reads the accounting files of Torque and PBS (a file, a folder
or an archive of them), what sacct -P prints, the Grid Workloads Format, traces of GPU
clusters, and any CSV or Parquet with one row per job. The format is detected from the
first line or the file name; a format in front overrides it. Columns of tables are found
by their usual names or named: bourse list formats lists them.

	$ bourse list formats
	$ bourse trace inspect dump.sacct
	$ bourse replay sacct:dump.sacct --nodes 64 --policy easy --payment none
	$ bourse trace convert 'table.csv?submit=Asked&run=Took&procs=Size&time=ms' table.parquet

These logs are written when jobs end, so they are read as a whole and sorted, from 262,144
jobs on by way of the disk for temporary files; dates become seconds from the first
submission. Of Torque's records E makes a job, D its status cancelled, others are counted;
of sacct's rows steps and jobs still running are left out. An element of an array is also
written 123[4]. bourse help your-own-log has the commands that export such logs, and says
how arrays, jobs of several parts, tasks and dates are understood.

Jobs that ask for GPUs are in the Philly trace, the pods of Alibaba's trace of 2023
(openb), Chronus, PAI, spot-gpu, Helios and Acme, the last four read as their documentation
says; in sacct's AllocTRES and ReqTRES; and in columns of a CSV. A job asks for a part of one
GPU or for a whole number of them, and may name the models it runs on. Where a table counts
GPUs and no processors, each GPU comes with a processor.

	$ bourse trace inspect pods.csv --machines 'pool(cpu=64,memory=262144,gpu=8)'
	$ bourse trace inspect 'csv:gpus.csv?submit=Asked&run=Took&procs=Cores&gpu=GPU&gpu_unit=percent'
	$ bourse replay pods.csv --machines 'nodes.csv(fit=packing)' --policy sjf

A model of Google's trace of 2011 writes tables of events in its raw form, into a
new folder, at any size up to and beyond the month. Its numbers are measured from
the first 19.5 hours of the real one, so it has a daily cycle and no weekly
one; tasks are not packed onto machines. --compare compares one trace with another:
quantiles, shares, rows per task, and how they differ; distance is the largest
difference of two distribution functions.

	$ bourse trace synth 'google2011?machines=50&days=0.2&tasks=4000&seed=1' month
	$ bourse trace inspect month --compare log.swf
	$ bourse trace convert month month.parquet
	$ bourse replay month.parquet --policy priority --payment none --machines 'trace(fit=best,events=month)'

Bad input is an error that names file and line. --on-error=skip counts such
records, shows the first few, and continues.

# Several resources

allocate shares several resources among agents once. The table has one row per
agent and one column per resource: what one task takes, as a fraction of the total
or, with --totals, as an amount. It prints the dominant shares and what each
agent gets of each resource; welfare, utilisation and their ratios to the best fair
allocation, and checks of sharing
incentive, envy and Pareto optimality go to standard error.

	$ bourse list mechanisms
	$ bourse allocate demands.csv --mechanism 'bal*' --totals cpu=100,memory=1000
	$ bourse allocate demands.csv --mechanism 'family:norm(2)' --strategy-proofness
	$ bourse allocate demands.csv --mechanism unb --out shares.parquet

# One resource, round by round

lend shares one resource round by round among agents who own parts of it. The
table has the columns round, agent and demand; rounds are in order and none is
missing, an agent without a row demands nothing. Endowments are mean demands, equal
parts, or a table. It prints each agent's allocation in each round; welfare beside
that of static shares and the sharing indices (what an agent got of its demand over
what its endowment would have met) go to standard error. A file is read twice where
agents, mean demands or the number of rounds must be known first; a stream is read
once, by mechanisms that need no more, or with --rounds.

	$ bourse list lenders
	$ bourse lend rounds.csv --mechanism fl --endowments owners.csv
	$ bourse lend rounds.csv --mechanism tperiod:3 --endowments owners.csv --strategy-proofness
	$ bourse lend rounds.csv --mechanism karma:0.5 --endowments equal --low 0.1 --agents agents.csv --out lent.parquet

trace demand makes such a table from a trace: the processors (in Google's traces
the CPU asked for) or the memory of each user's unfinished or running jobs, the
mean over each round. A round without demands has one row of 0.

	$ bourse trace demand log.swf --by user --every 5m --resource cpu --out demand.parquet
	$ bourse lend demand.parquet --mechanism tperiod:R/2 --summary

# A market of machines

equilibrium plays the price-anticipating market: users spread a budget over
machines, machines are shared in proportion to the bids on them, and users answer
each other's bids in turn until none gains by another bid. The table has one row per
user and machine with the weight of the machine to the user; weights are divided
by their sum. It prints bids and shares; efficiency, fairness and what a user could still gain by another bid go to standard error, beside bids in proportion to the weights
and the social optimum.

	$ bourse equilibrium weights.csv --budgets budgets.csv --until bids --tolerance 1e-9
	$ bourse equilibrium weights.csv --max-machines 1 --out bids.parquet
	$ bourse equilibrium weights.csv --update greedy --iterations sweeps.csv

Weights can be drawn, or taken from a log: the processor-seconds a user had in each
partition and class of sizes.

	$ bourse list preferences
	$ bourse equilibrium --preferences 'uniform(users=20,machines=50)' --max-machines 5
	$ bourse equilibrium --preferences trace log.swf

A machine that no user wants gets no bids. One that only one user wants has no
equilibrium, so others' bids count as a billionth of the mean budget where they are
less. Bids that do not converge within --limit sweeps are reported as such, and the
metrics are the least seen.

# Published studies

reproduce computes a paper's tables and figures beside the published values and
judges every claim: it holds, differs, is unclear (within the noise, or resting on
a choice of ours), or the paper does not publish the set-up. What the paper does
not say is marked as our finding, what follows from definitions as a check of the
code. With --out, report.html shows all of it with how each sentence was read;
claims.csv and report.txt hold the same for programs.

	$ bourse reproduce -h
	$ bourse reproduce untruthful-bids --seeds 1 --out study-a
	$ bourse reproduce dynamic-sharing --instances 5 --lies 100 --logs log.swf --out study-c
	$ bourse reproduce together --logs log.swf --replicas 2 --jobs 5 --out together

together is our own: the papers' mechanisms on the same logs, in a closed loop in
which a job that gets less is still there the next hour. fragmentation places GPU jobs
on the machines of Alibaba's trace of 2023, whose folder --data names. In the paper no job
ever leaves; --closed-loop is our own: jobs end and wait, on every fourth machine, under
eight rules of placement, by load and under three orders, with intervals over --seeds.

atlas is our own, too: 25 schedulers on every log at hand, each log with replicas that draw
its users anew. It says which rank first, by bounded slowdown and by wait, with intervals over
logs; on how many logs one does better than another beyond chance; and which comparisons turn
around from log to log. Without --logs the figures are those that come with the program, of 15
logs of the Parallel Workloads Archive and others; its tables ranks.csv and pairs.csv have all pairs.

	$ bourse reproduce atlas --out atlas
	$ bourse reproduce atlas --logs log.swf --replicas 2

# Flags from a file, figures for programs

--config FILE takes a command's flags from a file in TOML, one flag per line, with true
for those that take no value; those on the command line take precedence. --dry-run of
replay reads the trace, reports what would be replayed, on what and into which files,
and stops.

	$ bourse replay log.swf --config run.toml --policy wspt
	$ bourse replay log.swf --policy easy --nodes 8 --dry-run

--json of replay prints what summary.json holds, and of compare the answers and a list of
rows, each with its settings, its verdict, the difference to its baseline, the figures of
the summary by name with half of a 95 % interval where there is one, and of a sweep the
values of each replica. Programs may rely on these documents and on the columns of bourse
list columns: names, units and meanings stay as they are, what is new is added beside
them, and a change is announced in CHANGELOG under the version that makes it. Printed
tables and messages may change at any time.

	$ bourse replay log.swf --policy easy --payment none --json
	$ bourse compare log.swf --policy fcfs,easy --json

completion prints a script with which bash, zsh or fish complete commands, flags and
the names of policies, payments and the like.

	$ bourse completion bash

# Exit codes

0 done; 1 failed; 2 an error in the command line; 3 done, but records were skipped
because of --on-error=skip; 130 interrupted. Data go to standard output or files,
messages to standard error; -q silences the progress line.
*/
package main
