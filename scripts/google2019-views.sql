-- DuckDB: the tables of a cell of 2019 as views over the files of a folder, for
-- google2019.sql. SET VARIABLE trace = 'DIR' first. Files are JSON lines, plain or
-- compressed, in which 64-bit numbers and enums may be strings; for Parquet
-- SET VARIABLE form = 'parquet' and leave the first two views out.
CREATE OR REPLACE MACRO code(word, names) AS
  COALESCE(TRY_CAST(word AS BIGINT), list_position(names, word) - 1);

CREATE OR REPLACE VIEW instance_rows AS FROM read_json(getvariable('trace') || '/instance_events*.json*', format = 'newline_delimited', columns = {
  time: 'BIGINT', type: 'VARCHAR', collection_id: 'BIGINT', scheduling_class: 'BIGINT', collection_type: 'VARCHAR', priority: 'BIGINT',
  instance_index: 'BIGINT', resource_request: 'STRUCT(cpus DOUBLE, memory DOUBLE)'});

CREATE OR REPLACE VIEW collection_rows AS FROM read_json(getvariable('trace') || '/collection_events*.json*', format = 'newline_delimited', columns = {
  collection_id: 'BIGINT', "user": 'VARCHAR'});

CREATE OR REPLACE VIEW instance_events AS SELECT * REPLACE (
  code(type, ['SUBMIT', 'QUEUE', 'ENABLE', 'SCHEDULE', 'EVICT', 'FAIL', 'FINISH', 'KILL', 'LOST', 'UPDATE_PENDING', 'UPDATE_RUNNING']) AS type,
  code(collection_type, ['JOB', 'ALLOC_SET']) AS collection_type) FROM instance_rows;

CREATE OR REPLACE VIEW collection_events AS SELECT collection_id, "user" FROM collection_rows;
