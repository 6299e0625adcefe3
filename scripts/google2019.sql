-- From the rows of a cluster trace of Google to the jobs that bourse replays, for
-- cells too large for a laptop: the same table as
--
--     bourse trace convert google2019:DIR cell.parquet
--
-- makes of the same rows (a job a task: its last attempt; tasks that never ran,
-- or still run at the end, are left out), column by column and in the same order. It reads the
-- tables instance_events and collection_events and keeps to what DuckDB and
-- BigQuery both document; scripts/readers.sh runs it in DuckDB, nothing runs it in
-- BigQuery.
--
-- DuckDB, from exports as JSON lines or Parquet (google2019-views.sql names them):
--
--     duckdb -c "SET VARIABLE trace = 'DIR'" -f scripts/google2019-views.sql \
--            -c "COPY ($(cat scripts/google2019.sql)) TO 'cell.parquet' (FORMAT parquet, COMPRESSION zstd)"
--
-- BigQuery, into a table that is then exported as Parquet:
--
--     bq query --use_legacy_sql=false --dataset_id=google.com:google-cluster-data:clusterdata_2019_a \
--              --destination_table=PROJECT:DATASET.cell_a < scripts/google2019.sql
--
-- An export of several files has no order: join them by
-- COPY (SELECT * FROM 'cell-*.parquet' ORDER BY submit_us, job_id, task) TO 'cell.parquet'.
-- The table does not tell the machines: replay it with --machines 'pool(cpu=C,memory=M)'.
--
-- How a task's rows are read is told in traces/googletasks.go and sortevents.go. In
-- short: a task is dead until it is submitted (queued, enabled: the same), waits
-- until it is scheduled, runs until it ends, and is forgotten when it finishes or
-- has been dead for an hour: what comes then is another job.
WITH
events AS (
  SELECT
    collection_id AS job, instance_index AS task, time, GREATEST(time, 600000000) AS clock, type AS kind,
    -- U: it becomes ready, S: it is scheduled, E: it ends; updates do nothing.
    CASE WHEN type <= 2 THEN 'U' WHEN type = 3 THEN 'S' WHEN type <= 8 THEN 'E' END AS step,
    COALESCE(resource_request.cpus, -1) AS cpu, COALESCE(resource_request.memory, -1) AS memory,
    COALESCE(priority, -1) AS priority, COALESCE(scheduling_class, -1) AS class
  FROM instance_events
  WHERE COALESCE(collection_type, 0) <> 1 AND time < 9223372036854775807
),
-- Is the task alive after an instant? It is if the instant only makes it ready or
-- schedules it, it is not if the instant only ends it, else it is what it was.
instants AS (
  SELECT *,
    CASE
      WHEN SUM(CASE WHEN step = 'E' THEN 1 ELSE 0 END) OVER same = 0 AND SUM(CASE WHEN step IN ('U', 'S') THEN 1 ELSE 0 END) OVER same > 0 THEN 'alive'
      WHEN SUM(CASE WHEN step = 'E' THEN 1 ELSE 0 END) OVER same > 0 AND SUM(CASE WHEN step IN ('U', 'S') THEN 1 ELSE 0 END) OVER same = 0 THEN 'dead'
    END AS afterwards
  FROM events
  WINDOW same AS (PARTITION BY job, task, time)
),
-- Rows of an instant: ends first if the task is alive then, last if it is not.
turns AS (
  SELECT *,
    CASE
      WHEN step = 'E' THEN kind - 4 + CASE WHEN LAST_VALUE(afterwards IGNORE NULLS) OVER
        (PARTITION BY job, task ORDER BY time RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) = 'alive' THEN 0 ELSE 20 END
      WHEN kind <= 3 THEN kind + 5
      ELSE kind
    END AS turn
  FROM instants
),
numbered AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY job, task ORDER BY time, turn, cpu, memory, priority, class) AS n
  FROM turns
),
-- What stands before each row: the last step, and the last schedule or end.
stand AS (
  SELECT *,
    COALESCE(LAST_VALUE(step IGNORE NULLS) OVER earlier, 'E') AS before,
    COALESCE(LAST_VALUE(CASE WHEN step IN ('S', 'E') THEN step END IGNORE NULLS) OVER earlier, 'E') AS ran
  FROM numbered
  WINDOW earlier AS (PARTITION BY job, task ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
marks AS (
  SELECT *,
    CASE WHEN step = 'E' AND before <> 'E' THEN clock END AS died,
    CASE WHEN step = 'E' AND before <> 'E' THEN kind END AS how,
    CASE WHEN step IN ('U', 'S') AND before = 'E' THEN clock END AS ready,
    CASE WHEN step IN ('U', 'S') AND before = 'E' THEN time END AS ready_time,
    CASE WHEN step = 'S' AND ran = 'E' THEN clock END AS begun
  FROM stand
),
-- A row that finds nobody: the task is new, has finished, or has been dead too long.
found AS (
  SELECT *,
    before = 'E' AND (LAST_VALUE(died IGNORE NULLS) OVER earlier IS NULL OR LAST_VALUE(how IGNORE NULLS) OVER earlier = 6
      OR LAST_VALUE(died IGNORE NULLS) OVER earlier + 3600000000 < clock) AS nobody,
    LAST_VALUE(ready IGNORE NULLS) OVER so_far AS submitted,
    LAST_VALUE(ready_time IGNORE NULLS) OVER so_far AS submitted_time,
    LAST_VALUE(begun IGNORE NULLS) OVER so_far AS started
  FROM marks
  WINDOW
    earlier AS (PARTITION BY job, task ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
    so_far AS (PARTITION BY job, task ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
lives AS (
  SELECT *, SUM(CASE WHEN nobody AND step IN ('U', 'S') THEN 1 ELSE 0 END) OVER
    (PARTITION BY job, task ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS life
  FROM found
),
-- The last thing that is known of a life, on each of its rows.
known AS (
  SELECT *,
    LAST_VALUE(NULLIF(cpu, -1) IGNORE NULLS) OVER whole AS last_cpu, LAST_VALUE(NULLIF(memory, -1) IGNORE NULLS) OVER whole AS last_memory,
    LAST_VALUE(NULLIF(priority, -1) IGNORE NULLS) OVER whole AS last_priority, LAST_VALUE(NULLIF(class, -1) IGNORE NULLS) OVER whole AS last_class,
    LAST_VALUE(how IGNORE NULLS) OVER whole AS last_how,
    LAST_VALUE(CASE WHEN step IN ('S', 'E') THEN step END IGNORE NULLS) OVER whole AS last_step,
    MAX(CASE WHEN step = 'E' AND ran = 'S' THEN n END) OVER whole AS kept
  FROM lives
  WHERE NOT nobody OR step IN ('U', 'S')
  WINDOW whole AS (PARTITION BY job, task, life ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
),
jobs AS (
  SELECT
    job, task, life,
    MAX(CASE WHEN n = kept THEN submitted END) AS submit, MAX(CASE WHEN n = kept THEN submitted_time END) AS submit_time,
    MAX(CASE WHEN n = kept THEN started END) AS begin_at, MAX(CASE WHEN n = kept THEN clock END) AS end_at,
    SUM(CASE WHEN step = 'E' AND ran = 'S' THEN clock - started END) AS total, SUM(CASE WHEN begun IS NOT NULL THEN 1 ELSE 0 END) AS attempts,
    MAX(last_cpu) AS cpu, MAX(last_memory) AS memory, MAX(last_priority) AS priority, MAX(last_class) AS class, MAX(last_how) AS how
  FROM known
  WHERE kept IS NOT NULL AND last_step <> 'S' -- it has run, and does not run still
  GROUP BY job, task, life
),
owners AS (
  SELECT collection_id AS job, MIN(c.user) AS user FROM collection_events c WHERE c.user <> '' GROUP BY collection_id
)
SELECT
  jobs.job AS job_id, jobs.task AS task, 1 AS pieces, submit AS submit_us, begin_at - submit AS wait_us, end_at - begin_at AS run_us, 1 AS procs,
  cpu, memory, CASE how WHEN 5 THEN 0 WHEN 6 THEN 1 WHEN 7 THEN 5 END AS status, owners.user AS user, priority, class,
  CAST(attempts AS BIGINT) AS attempt, NULLIF(CAST(total - (end_at - begin_at) AS BIGINT), 0) AS wasted_us
FROM jobs LEFT JOIN owners ON owners.job = jobs.job
ORDER BY submit_us, submit_time, job_id, task
