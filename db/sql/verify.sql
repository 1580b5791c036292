-- Checking a project (verify*.c). verify_NAME gives a line (where, example) for each case, sorted by
-- where; fix_NAME makes it right.
-- name: verify_generation
SELECT 'meta', 'generation' WHERE coalesce((SELECT typeof(value) FROM meta WHERE key =
'generation'), '') <> 'integer';
-- name: fix_generation
INSERT INTO meta (key, value) VALUES ('generation', 1) ON CONFLICT (key) DO UPDATE SET value = 1;
-- name: verify_dataset_ids
SELECT 'dataset ' || name, id FROM dataset WHERE id NOT BETWEEN 1 AND 2147483647 OR name = '';
-- name: verify_sample_ids
SELECT 'table sample', key FROM sample WHERE id <> (dataset << 32) + ord;
-- name: fix_sample_ids
UPDATE OR IGNORE sample SET dataset = id >> 32, ord = id & 4294967295 WHERE id <> (dataset << 32)
+ ord;
-- name: verify_sample_datasets
SELECT 'table sample', key FROM sample WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_sample_keys
SELECT 'dataset ' || d.name, s.ord FROM sample s JOIN dataset d ON d.id = s.dataset WHERE
typeof(s.key) <> 'text' OR s.key = '' ORDER BY 1;
-- name: fix_sample_keys
UPDATE OR IGNORE sample SET key = '(lost ' || ord || ')' WHERE typeof(key) <> 'text' OR key = '';
-- name: verify_sample_kinds
SELECT 'dataset ' || d.name, s.key FROM sample s JOIN dataset d ON d.id = s.dataset WHERE s.media
NOT IN (0, 1, 2, 3) OR s.text_kind NOT IN (0, 1, 2) ORDER BY 1;
-- name: fix_sample_kinds
UPDATE sample SET media = iif(media IN (0, 1, 2, 3), media, path <> ''), text_kind = iif(text_kind
IN (0, 1, 2), text_kind, text <> '') WHERE media NOT IN (0, 1, 2, 3) OR text_kind NOT IN (0, 1, 2);
-- name: verify_sample_options
SELECT 'dataset ' || d.name, s.key FROM sample s JOIN dataset d ON d.id = s.dataset WHERE
s.option_set IS NOT NULL AND s.option_set NOT IN (SELECT id FROM option_set) ORDER BY 1;
-- name: fix_sample_options
UPDATE sample SET option_set = NULL WHERE option_set NOT IN (SELECT id FROM option_set);
-- name: verify_option_items
SELECT 'table option_set', id FROM option_set WHERE NOT json_valid(items) OR json_type(items) <>
'array';
-- name: fix_option_items
UPDATE option_set SET items = '[["(lost ' || id || ')",null]]' WHERE NOT json_valid(items) OR
json_type(items) <> 'array';
-- name: verify_sample_extra
SELECT 'dataset ' || d.name, s.key FROM sample s JOIN dataset d ON d.id = s.dataset WHERE s.extra
<> '' AND NOT json_valid(s.extra) ORDER BY 1;
-- name: fix_sample_extra
UPDATE sample SET extra = '' WHERE extra <> '' AND NOT json_valid(extra);
-- name: verify_media_samples
SELECT 'table sample_media', sample FROM sample_media WHERE sample NOT IN (SELECT id FROM sample);
-- name: fix_media_samples
DELETE FROM sample_media WHERE sample NOT IN (SELECT id FROM sample);
-- name: verify_sample_gaps
SELECT 'dataset ' || d.name, (m + 1 - c) || ' of ' || (m + 1) FROM (SELECT dataset, count(*) c,
max(ord) m FROM sample GROUP BY dataset) JOIN dataset d ON d.id = dataset WHERE c <> m + 1 AND m +
1 - c BETWEEN 1 AND 100000 ORDER BY 1;
-- name: fix_sample_gaps
WITH RECURSIVE g (dataset, m) AS (SELECT dataset, max(ord) FROM sample GROUP BY dataset HAVING
count(*) <> max(ord) + 1 AND max(ord) + 1 - count(*) BETWEEN 1 AND 100000), k (dataset, i, m) AS
(SELECT dataset, 0, m FROM g UNION ALL SELECT dataset, i + 1, m FROM k WHERE i < m) INSERT OR
IGNORE INTO sample (id, dataset, ord, key) SELECT (dataset << 32) + i, dataset, i, '(lost ' || i
|| ')' FROM k WHERE (dataset << 32) + i NOT IN (SELECT id FROM sample);
-- name: verify_sample_chasms
SELECT 'dataset ' || d.name, (m + 1 - c) || ' of ' || (m + 1) FROM (SELECT dataset, count(*) c,
max(ord) m FROM sample GROUP BY dataset) JOIN dataset d ON d.id = dataset WHERE m + 1 - c NOT
BETWEEN 0 AND 100000 ORDER BY 1;
-- name: verify_sample_count
SELECT 'dataset ' || name, n_samples || ', not ' || c FROM (SELECT name, n_samples, (SELECT
coalesce(max(ord) + 1, 0) FROM sample WHERE sample.id >= dataset.id << 32 AND sample.id <
(dataset.id + 1) << 32) c FROM dataset) WHERE n_samples IS NOT c;
-- name: fix_sample_count
UPDATE dataset SET n_samples = (SELECT coalesce(max(ord) + 1, 0) FROM sample WHERE sample.id >=
dataset.id << 32 AND sample.id < (dataset.id + 1) << 32);
-- name: verify_class_indices
SELECT 'dataset ' || d.name, c.idx FROM class c JOIN dataset d ON d.id = c.dataset WHERE c.idx IS
NOT NULL GROUP BY c.dataset, c.idx HAVING count(*) > 1 ORDER BY 1;
-- name: verify_class_wnids
SELECT 'dataset ' || d.name, c.wnid FROM class c JOIN dataset d ON d.id = c.dataset WHERE c.wnid
<> '' GROUP BY c.dataset, c.wnid HAVING count(*) > 1 ORDER BY 1;
-- name: verify_class_datasets
SELECT 'table class', name FROM class WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_class_datasets
DELETE FROM class WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_facet_datasets
SELECT 'table facet', name FROM facet WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_facet_datasets
DELETE FROM facet WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_facet_kinds
WITH has AS (SELECT f.id, f.name, f.numeric, f.multi, count(iif(c.name = 'number', 1, NULL)) AS numbers,
count(iif(c.name = 'value', 1, NULL)) AS vals, count(iif(c.name = 'offset', 1, NULL)) AS offsets FROM
facet f JOIN col c ON c.owner_kind = 2 AND c.owner = f.id GROUP BY f.id)
SELECT 'facet ' || name, iif(numbers, 'numbers', iif(offsets, 'several values', 'one value')) FROM has WHERE
(numeric AND NOT numbers AND vals) OR (NOT numeric AND numbers AND NOT vals) OR
(NOT numeric AND NOT multi AND offsets AND vals);
-- name: fix_facet_kinds
WITH has AS (SELECT owner AS id, count(iif(name = 'number', 1, NULL)) AS numbers, count(iif(name = 'value',
1, NULL)) AS vals, count(iif(name = 'offset', 1, NULL)) AS offsets FROM col WHERE owner_kind = 2 GROUP BY
owner)
UPDATE facet SET numeric = h.numbers > 0 AND h.vals = 0, multi = h.offsets > 0 FROM has h WHERE h.id =
facet.id AND ((numeric AND NOT h.numbers AND h.vals) OR (NOT numeric AND h.numbers AND NOT h.vals) OR
(NOT numeric AND NOT multi AND h.offsets AND h.vals));
-- name: verify_map_datasets
SELECT 'table label_map', text FROM label_map WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_map_datasets
DELETE FROM label_map WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_value_facets
SELECT 'table facet_value', name FROM facet_value WHERE facet NOT IN (SELECT id FROM facet);
-- name: fix_value_facets
DELETE FROM facet_value WHERE facet NOT IN (SELECT id FROM facet);
-- name: verify_value_names
SELECT 'facet ' || f.name, v.name FROM facet_value v JOIN facet f ON f.id = v.facet GROUP BY
v.facet, v.name HAVING count(*) > 1 ORDER BY 1;
-- name: verify_layer_datasets
SELECT 'table layer', name FROM layer WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_layer_datasets
DELETE FROM layer WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_layer_kinds
SELECT 'layer ' || name, kind FROM layer WHERE kind NOT IN (0, 1, 2);
-- name: fix_layer_kinds
UPDATE layer SET kind = EXISTS (SELECT 1 FROM layer_field WHERE layer = layer.id) WHERE kind NOT
IN (0, 1, 2);
-- name: verify_field_layers
SELECT 'table layer_field', layer FROM layer_field WHERE layer NOT IN (SELECT id FROM layer);
-- name: fix_field_layers
DELETE FROM layer_field WHERE layer NOT IN (SELECT id FROM layer);
-- name: verify_run_datasets
SELECT 'table run', handle FROM run WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_run_datasets
DELETE FROM run WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_run_models
INSERT INTO model (id, name) SELECT DISTINCT model, '(lost ' || model || ')' FROM run WHERE model
NOT IN (SELECT id FROM model);
-- name: verify_run_handles
SELECT 'run ' || handle, handle FROM run WHERE handle = '' OR handle GLOB '*[^-A-Za-z0-9_.+/#]*';
-- name: verify_run_rules
SELECT 'run ' || handle, list_rule FROM run WHERE list_rule NOT IN (0, 1);
-- name: fix_run_rules
UPDATE run SET list_rule = 0 WHERE list_rule NOT IN (0, 1);
-- name: verify_run_origins
SELECT 'run ' || handle, coalesce(parent, repeat_of) FROM run r WHERE (parent IS NOT NULL AND parent
NOT IN (SELECT id FROM run WHERE id <> r.id)) OR (repeat_of IS NOT NULL AND repeat_of NOT IN (SELECT id
FROM run WHERE id <> r.id));
-- name: fix_run_origins
UPDATE run SET parent = iif(parent IN (SELECT o.id FROM run o WHERE o.id <> run.id), parent, NULL),
repeat_of = iif(repeat_of IN (SELECT o.id FROM run o WHERE o.id <> run.id), repeat_of, NULL) WHERE parent
IS NOT NULL OR repeat_of IS NOT NULL;
-- name: verify_run_settings
SELECT 'run ' || handle, handle FROM run WHERE settings <> '' AND NOT json_valid(settings);
-- name: fix_run_settings
UPDATE run SET settings = '' WHERE settings <> '' AND NOT json_valid(settings);
-- name: verify_request_runs
SELECT 'table request', run FROM request WHERE run NOT IN (SELECT id FROM run);
-- name: fix_request_runs
DELETE FROM request WHERE run NOT IN (SELECT id FROM run);
-- name: verify_col_owners
SELECT 'table col', name FROM col WHERE owner NOT IN (SELECT id FROM dataset WHERE owner_kind = 0
UNION ALL SELECT id FROM layer WHERE owner_kind = 1 UNION ALL SELECT id FROM facet WHERE
owner_kind = 2 UNION ALL SELECT id FROM run WHERE owner_kind = 3);
-- name: fix_col_owners
DELETE FROM col WHERE owner NOT IN (SELECT id FROM dataset WHERE owner_kind = 0 UNION ALL SELECT
id FROM layer WHERE owner_kind = 1 UNION ALL SELECT id FROM facet WHERE owner_kind = 2 UNION ALL
SELECT id FROM run WHERE owner_kind = 3);
-- name: verify_chunk_runs
SELECT 'table chunk', 'run ' || run || ' field ' || field FROM chunk WHERE run NOT IN (SELECT id
FROM run) OR field NOT BETWEEN 0 AND 6;
-- name: fix_chunk_runs
DELETE FROM chunk WHERE run NOT IN (SELECT id FROM run) OR field NOT BETWEEN 0 AND 6;
-- name: verify_vector_sizes
SELECT 'table vector', text FROM vector WHERE length(data) IS NOT dim * 4;
-- name: fix_vector_sizes
DELETE FROM vector WHERE length(data) IS NOT dim * 4;
-- name: verify_import_reports
SELECT 'table import', path FROM import WHERE report <> '' AND NOT json_valid(report);
-- name: fix_import_reports
UPDATE import SET report = '' WHERE report <> '' AND NOT json_valid(report);
-- name: verify_import_datasets
SELECT 'table import', path FROM import WHERE dataset IS NOT NULL AND dataset NOT IN (SELECT id
FROM dataset);
-- name: fix_import_datasets
UPDATE import SET dataset = NULL WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: verify_reference_datasets
SELECT 'table reference', name FROM reference WHERE dataset NOT IN (SELECT id FROM dataset);
-- name: fix_reference_datasets
DELETE FROM reference WHERE dataset NOT IN (SELECT id FROM dataset);

-- name: verify_twins
SELECT key FROM sample GROUP BY dataset, key HAVING count(*) > 1;
-- name: fix_twins
UPDATE sample SET key = key || '#' || ord WHERE id NOT IN (SELECT min(id) FROM sample GROUP BY
dataset, key);

-- name: verify_datasets
SELECT id, name, coalesce((SELECT max(ord) + 1 FROM sample WHERE sample.id >= dataset.id << 32 AND
sample.id < (dataset.id + 1) << 32), 0) FROM dataset ORDER BY id;
-- name: verify_class_parents
SELECT ord, parent, name FROM class WHERE dataset = ?1 ORDER BY ord;
-- name: verify_value_parents
SELECT ord, parent, name FROM facet_value WHERE facet = ?1 ORDER BY ord;
-- name: fix_class_gap
INSERT OR IGNORE INTO class (dataset, ord, name) VALUES (?1, ?2, '(lost ' || ?2 || ')');
-- name: fix_value_gap
INSERT OR IGNORE INTO facet_value (facet, ord, name) VALUES (?1, ?2, '(lost ' || ?2 || ')');
-- name: fix_class_parent
UPDATE class SET parent = NULL WHERE dataset = ?1 AND ord = ?2;
-- name: fix_value_parent
UPDATE facet_value SET parent = NULL WHERE facet = ?1 AND ord = ?2;
-- name: verify_aliases
SELECT class, alias FROM class_alias WHERE dataset = ?1 AND class NOT IN (SELECT ord FROM class WHERE
dataset = ?1);
-- name: fix_aliases
DELETE FROM class_alias WHERE dataset = ?1 AND class NOT IN (SELECT ord FROM class WHERE dataset = ?1);
-- name: verify_pairs
SELECT a, b FROM equivalence WHERE dataset = ?1 AND (a >= b OR a NOT IN (SELECT ord FROM class WHERE
dataset = ?1) OR b NOT IN (SELECT ord FROM class WHERE dataset = ?1));
-- name: fix_pairs
DELETE FROM equivalence WHERE dataset = ?1 AND (a >= b OR a NOT IN (SELECT ord FROM class WHERE
dataset = ?1) OR b NOT IN (SELECT ord FROM class WHERE dataset = ?1));
-- name: verify_maps
SELECT class, text FROM label_map WHERE dataset = ?1 AND class NOT IN (SELECT ord FROM class WHERE
dataset = ?1);
-- name: verify_samples
SELECT ord, key, path, text, media FROM sample WHERE id >= ?1 << 32 AND id < (?1 + 1) << 32
ORDER BY id;
-- name: verify_layers
SELECT id, name, n_labelled, kind FROM layer WHERE dataset = ?1 ORDER BY id;
-- name: verify_fields
SELECT pos, class FROM layer_field WHERE layer = ?1 ORDER BY pos;
-- name: fix_field
UPDATE layer_field SET class = NULL WHERE layer = ?1 AND pos = ?2;
-- name: fix_fields
DELETE FROM layer_field WHERE layer = ?1;
-- name: fix_labelled
UPDATE layer SET n_labelled = ?2 WHERE id = ?1;
-- name: verify_facets
SELECT id, name, numeric, multi FROM facet WHERE dataset = ?1 ORDER BY id;
-- name: verify_runs
SELECT id, handle, n, scratch FROM run WHERE dataset = ?1 ORDER BY id;
-- name: verify_choices
SELECT ord FROM sample WHERE dataset = ?1 AND option_set IS NOT NULL
AND EXISTS (SELECT 1 FROM option_set WHERE dataset = ?1);
-- name: fix_answers
UPDATE run SET n = ?2 WHERE id = ?1;
-- name: verify_columns
SELECT name FROM col WHERE owner_kind = ?1 AND owner = ?2 ORDER BY name;
-- name: fix_column
DELETE FROM col WHERE owner_kind = ?1 AND owner = ?2 AND name = ?3;
-- name: verify_chunks
SELECT id, start, n, codec, ords, lens, data FROM chunk WHERE run = ?1 AND field = ?2
ORDER BY start, id;
-- name: verify_shared
SELECT EXISTS (SELECT 1 FROM chunk WHERE run = ?1 AND field = ?2 AND codec = 1);
-- name: fix_chunk
DELETE FROM chunk WHERE id = ?1;
-- name: fix_chunk_starts
UPDATE chunk SET start = -id WHERE run = ?1 AND field = ?2;
-- name: fix_chunk_row
UPDATE chunk SET start = ?2, n = ?3, ords = ?4, lens = ?5, data = ?6 WHERE id = ?1;
-- name: verify_journal
SELECT id, dataset, label, undo, redo FROM journal ORDER BY id;
-- name: fix_journal
DELETE FROM journal WHERE id = ?1;
-- name: verify_panel
SELECT dataset, handle FROM panel WHERE handle NOT IN (SELECT handle FROM run);
-- name: verify_states
SELECT name FROM saved_filter WHERE state <> '' AND NOT json_valid(state);
-- name: verify_reviews
SELECT sample FROM review WHERE NOT json_valid(classes);
-- name: verify_notes
SELECT dataset, sample FROM note ORDER BY dataset, sample;
-- name: verify_tags
SELECT dataset, sample FROM tag ORDER BY dataset, sample;
-- name: verify_marks
SELECT dataset, sample FROM mark ORDER BY dataset, sample;
-- name: verify_seen
SELECT dataset, sample FROM seen ORDER BY dataset, sample;
-- name: verify_review
SELECT dataset, sample FROM review ORDER BY dataset, sample;
