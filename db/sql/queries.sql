-- Every statement the program runs, by name. A block begins with "-- name: NAME".

-- name: meta_get
SELECT value FROM meta WHERE key = ?1;
-- name: data_version
PRAGMA data_version;

-- name: col_find
SELECT id, dtype, n FROM col WHERE owner_kind = ?1 AND owner = ?2 AND name = ?3;
-- name: col_put
INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (owner_kind, owner, name)
DO UPDATE SET dtype = excluded.dtype, n = excluded.n, data = excluded.data;

-- name: dataset_list
SELECT id, name, n_samples FROM dataset ORDER BY id;
-- name: dataset_get
SELECT name, preset, image_root, n_samples FROM dataset WHERE id = ?1;
-- name: class_list
SELECT ord, name, wnid, idx, parent FROM class WHERE dataset = ?1 ORDER BY ord;
-- name: pair_list
SELECT a, b FROM equivalence WHERE dataset = ?1 ORDER BY a, b;
-- name: facet_list
SELECT id, name, numeric, multi FROM facet WHERE dataset = ?1 ORDER BY id;
-- name: facet_value_list
SELECT ord, name, parent FROM facet_value WHERE facet = ?1 ORDER BY ord;
-- name: reference_list
SELECT name, grp, metric, value, source FROM reference WHERE dataset = ?1
ORDER BY source, name, grp <> 'all', grp, metric;
-- name: layer_list
SELECT id, name, kind FROM layer WHERE dataset = ?1 ORDER BY id;
-- name: layer_field_list
SELECT pos, class FROM layer_field WHERE layer = ?1 ORDER BY pos;
-- What repeats a run: the same model, asked in the same way; the seed and the number of the repeat
-- are what may differ in the settings.
-- name: run_list
SELECT run.id, run.handle, run.title, model.name, run.protocol, run.list_rule, run.open_world,
       run.scratch, run.prompt, run.response_format, run.encoder,
       CASE WHEN run.scratch OR model.name = '' THEN NULL ELSE coalesce(run.repeat_of, (
         SELECT min(o.id) FROM run AS o
         WHERE o.dataset = run.dataset AND o.model = run.model AND o.protocol = run.protocol
           AND o.prompt = run.prompt AND o.response_format = run.response_format
           AND o.encoder = run.encoder AND o.list_rule = run.list_rule
           AND o.open_world = run.open_world AND NOT o.scratch
           AND iif(json_valid(o.settings), json_remove(o.settings, '$.seed', '$.repeat'), '{}') =
             iif(json_valid(run.settings), json_remove(run.settings, '$.seed', '$.repeat'), '{}'))) END,
       run.settings
FROM run LEFT JOIN model ON model.id = run.model
WHERE run.dataset = ?1 ORDER BY run.id;

-- name: run_asking
SELECT prompt, settings FROM run WHERE id = ?1;

-- name: vector_get
SELECT dim, data FROM vector WHERE encoder = ?1 AND text = ?2;
-- name: vector_next
SELECT min(encoder) FROM vector WHERE encoder > ?1;
-- name: vector_put
INSERT INTO vector (encoder, text, dim, data) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (encoder, text) DO UPDATE SET dim = excluded.dim, data = excluded.data;

-- name: sample_range
SELECT id, key, media, path, text_kind, text, extra, option_set FROM sample
WHERE id BETWEEN ?1 AND ?2;
-- name: sample_media_paths
SELECT path FROM sample_media WHERE sample = ?1 ORDER BY pos LIMIT 255;
-- name: sample_by_key
SELECT id FROM sample WHERE dataset = ?1 AND key = ?2;
-- Filters (search*.c). A search over samples goes slice by slice of their ids.
-- name: search_numbers
SELECT DISTINCT col.name FROM run JOIN col ON col.owner_kind = 3 AND col.owner = run.id
WHERE run.dataset = ?1 ORDER BY col.name;
-- name: search_aliases
SELECT class, alias FROM class_alias WHERE dataset = ?1 AND scheme = '';
-- name: search_second_names
SELECT alias FROM class_alias WHERE dataset = ?1 AND (scheme = '' OR substr(scheme, 1, 6) = 'names:');
-- name: search_chunks
SELECT id, start FROM chunk WHERE run = ?1 AND field = ?2 ORDER BY start;
-- name: search_last
SELECT codec FROM chunk WHERE run = ?1 AND field = ?2 ORDER BY start DESC LIMIT 1;
-- name: search_chunk
SELECT run, field, codec, ords, lens, data FROM chunk WHERE id = ?1;
-- name: search_end
SELECT start FROM chunk WHERE run = ?1 AND field = ?2 ORDER BY start DESC LIMIT 1;
-- name: search_texts
SELECT id, text, text_kind FROM sample WHERE id BETWEEN ?1 AND ?2;
-- name: search_rows
SELECT id, key, text FROM sample WHERE id BETWEEN ?1 AND ?2;
-- name: search_keys
SELECT id, key FROM sample WHERE id BETWEEN ?1 AND ?2;
-- name: search_paths
SELECT id, path FROM sample WHERE id BETWEEN ?1 AND ?2;
-- name: search_more_paths
SELECT sample, path FROM sample_media WHERE sample BETWEEN ?1 AND ?2;
-- name: search_notes
SELECT sample, text FROM note WHERE dataset = ?1;
-- name: sample_by_keys
SELECT id FROM sample WHERE dataset = ?1 ORDER BY key;
-- name: sample_by_texts
SELECT id FROM sample WHERE dataset = ?1 AND text <> '' ORDER BY text, id;
-- name: layer_counts
SELECT name, n_labelled FROM layer WHERE dataset = ?1 ORDER BY id;
-- name: import_list
SELECT at, path, reader, dataset, rows, skipped, unmatched, report FROM import ORDER BY id DESC LIMIT ?1;
-- What the imports of each dataset called their task, and whether its keys were kept apart; and the
-- files of VLMEvalKit's benchmarks, which are called like them.
-- name: import_tasks
SELECT DISTINCT dataset, json_extract(report, '$.task'), coalesce(json_extract(report, '$.apart'), 0),
	CASE reader WHEN 'vlmbench' THEN path END
FROM import WHERE dataset IS NOT NULL AND json_valid(report) AND
	(json_extract(report, '$.task') <> '' OR reader = 'vlmbench');
-- How rows found their samples, of the last import of each file.
-- name: import_joins
SELECT j.key, sum(j.value) FROM import, json_each(import.report, '$.joined') AS j
WHERE json_valid(import.report) AND import.id IN (SELECT max(id) FROM import WHERE dataset = ?1 GROUP BY path, reader)
GROUP BY j.key;
-- name: option_set_any
SELECT 1 FROM option_set WHERE dataset = ?1 LIMIT 1;
-- name: option_set_get
SELECT items FROM option_set WHERE id = ?1;
-- name: chunk_at
SELECT start, n, codec, ords, lens, data FROM chunk
WHERE run = ?1 AND field = ?2 AND start <= ?3 ORDER BY start DESC LIMIT 1;

-- name: setting_get
SELECT value FROM setting WHERE key = ?1;
-- name: setting_put
INSERT INTO setting (key, value) VALUES (?1, ?2)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- The user's own things (user*.c, journal.c): of the project or of its overlay.
-- name: user_keys
SELECT id, key FROM sample WHERE id BETWEEN ?1 AND ?2 ORDER BY id;
-- name: user_marks
SELECT sample FROM mark WHERE dataset = ?1 ORDER BY sample;
-- name: user_tags
SELECT sample, name FROM tag WHERE dataset = ?1 ORDER BY sample;
-- name: user_seen
SELECT sample FROM seen WHERE dataset = ?1 ORDER BY sample;
-- name: user_note_counts
SELECT sample, count(*) FROM note WHERE dataset = ?1 GROUP BY sample;
-- name: user_notes_of
SELECT id, text, author, created, changed FROM note WHERE dataset = ?1 AND sample = ?2
ORDER BY created, id;
-- name: user_tag_put
INSERT OR IGNORE INTO tag (dataset, sample, name, created) VALUES (?1, ?2, ?3, ?4);
-- name: user_tag_drop
DELETE FROM tag WHERE dataset = ?1 AND sample = ?2 AND name = ?3 RETURNING created;
-- name: user_mark_put
INSERT OR IGNORE INTO mark (dataset, sample) VALUES (?1, ?2);
-- name: user_mark_drop
DELETE FROM mark WHERE dataset = ?1 AND sample = ?2;
-- name: user_note_get
SELECT text, author, created, changed FROM note WHERE id = ?1 AND dataset = ?2 AND sample = ?3;
-- name: user_note_put
INSERT INTO note (id, dataset, sample, text, author, created, changed)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (id) DO UPDATE SET text = excluded.text, author = excluded.author,
created = excluded.created, changed = excluded.changed
WHERE dataset = excluded.dataset AND sample = excluded.sample;
-- name: user_note_drop
DELETE FROM note WHERE id = ?1 AND dataset = ?2 AND sample = ?3
RETURNING text, author, created, changed;
-- name: user_seen_put
INSERT OR IGNORE INTO seen (dataset, sample, at) VALUES (?1, ?2, ?3);
-- name: journal_put
INSERT INTO journal (at, dataset, kind, label, undo, redo) VALUES (?1, ?2, ?3, ?4, ?5, ?6);
-- name: journal_drop_undone
DELETE FROM journal WHERE dataset = ?1 AND undone = 1;
-- name: journal_last
SELECT id || ' ' || at FROM journal ORDER BY id DESC LIMIT 1;
-- name: user_notes_all
SELECT sample, text FROM note WHERE dataset = ?1 ORDER BY created, id;
-- name: journal_trim
DELETE FROM journal WHERE dataset = ?1 AND id <=
    (SELECT id FROM journal WHERE dataset = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2);
-- name: journal_undo_next
SELECT id, label, undo FROM journal WHERE dataset = ?1 AND undone = 0 ORDER BY id DESC LIMIT 1;
-- name: journal_redo_next
SELECT id, label, redo FROM journal WHERE dataset = ?1 AND undone = 1 ORDER BY id LIMIT 1;
-- name: journal_turn
UPDATE journal SET undone = ?2 WHERE id = ?1;

-- name: saved_list
SELECT name, filter, state, created FROM saved_filter WHERE dataset = ?1 ORDER BY created, name;
-- name: saved_get
SELECT filter, state, created FROM saved_filter WHERE dataset = ?1 AND name = ?2;
-- name: saved_put
INSERT INTO saved_filter (dataset, name, filter, state, created) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (dataset, name) DO UPDATE SET filter = excluded.filter, state = excluded.state,
created = excluded.created;
-- name: saved_drop
DELETE FROM saved_filter WHERE dataset = ?1 AND name = ?2;

-- name: panel_list
SELECT handle FROM panel WHERE dataset = ?1 ORDER BY pos;
-- name: panel_drop
DELETE FROM panel WHERE dataset = ?1;
-- name: panel_put
INSERT INTO panel (dataset, pos, handle) VALUES (?1, ?2, ?3);

-- Imports (store*.c). Names that begin with stage_ are of the temporary database of an import.
-- name: store_generation
SELECT value FROM meta WHERE key = 'generation';
-- name: store_generation_put
INSERT INTO meta (key, value) VALUES ('generation', ?1)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;
-- name: store_dataset_get
SELECT id, preset, image_root, declared FROM dataset WHERE name = ?1;
-- name: store_dataset_next
SELECT coalesce(max(id), 0) + 1 FROM dataset;
-- name: store_dataset_put
INSERT INTO dataset (id, name, preset, image_root, declared, n_samples, created)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (id) DO UPDATE SET preset = excluded.preset, image_root = excluded.image_root,
declared = excluded.declared, n_samples = excluded.n_samples;
-- Importing again what is known leaves the file as it is, to the byte: ?9 tells of a change.
-- name: store_import_put
INSERT INTO import (at, path, reader, dataset, rows, skipped, unmatched, report)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
WHERE ?9 OR NOT EXISTS (SELECT 1 FROM import WHERE path = ?2 AND reader = ?3
    AND dataset IS ?4 AND rows = ?5 AND skipped = ?6 AND unmatched = ?7);

-- name: store_class_list
SELECT ord, idx, wnid, name, parent, declared FROM class WHERE dataset = ?1 ORDER BY ord;
-- name: store_alias_list
SELECT class, scheme, alias FROM class_alias WHERE dataset = ?1 ORDER BY class, scheme, alias;
-- name: store_map_list
SELECT text, class FROM label_map WHERE dataset = ?1;
-- name: label_list
SELECT m.text, c.name, m.class FROM label_map AS m
LEFT JOIN class AS c ON c.dataset = m.dataset AND c.ord = m.class WHERE m.dataset = ?1 ORDER BY m.text;
-- name: label_put
INSERT INTO label_map (dataset, text, class) SELECT dataset, ?2, ord FROM class WHERE dataset = ?1 AND ord = ?3
ON CONFLICT (dataset, text) DO UPDATE SET class = excluded.class;
-- name: label_runs
SELECT id, n FROM run WHERE dataset = ?1 ORDER BY id;
-- name: label_layers
SELECT id FROM layer WHERE dataset = ?1 AND kind = 0 ORDER BY id;
-- name: label_options
SELECT id, items FROM option_set WHERE dataset = ?1 ORDER BY id;
-- name: label_options_put
UPDATE OR IGNORE option_set SET items = ?2 WHERE id = ?1;
-- What the last import of a file said of labels that no class has (store_layers.c).
-- name: label_left_out
SELECT path FROM import WHERE dataset = ?1 AND skipped > 0 AND instr(report, 'the class list has no ')
AND id IN (SELECT max(id) FROM import WHERE dataset = ?1 GROUP BY path, reader) ORDER BY id DESC LIMIT 1;
-- name: layer_column_drop
DELETE FROM col WHERE owner_kind = 1 AND owner = ?1 AND name = ?2;
-- name: label_drop
DELETE FROM label_map WHERE dataset = ?1 AND text = ?2;
-- name: store_class_put
INSERT INTO class (dataset, ord, idx, wnid, name, parent, declared) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (dataset, ord) DO UPDATE SET idx = excluded.idx, wnid = excluded.wnid,
name = excluded.name, parent = excluded.parent, declared = excluded.declared;
-- name: store_alias_put
INSERT OR IGNORE INTO class_alias (dataset, class, scheme, alias) VALUES (?1, ?2, ?3, ?4);
-- name: store_pair_put
INSERT OR IGNORE INTO equivalence (dataset, a, b) VALUES (?1, ?2, ?3);

-- name: store_reference_put
INSERT INTO reference (dataset, name, grp, metric, value, source) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (dataset, name, grp, metric) DO UPDATE SET value = excluded.value,
source = excluded.source WHERE value <> excluded.value;

-- name: store_sample_keys
SELECT ord, key FROM sample WHERE id >= ?1 << 32 AND id < ?1 + 1 << 32 ORDER BY id;
-- name: store_sample_metas
SELECT ord, media, path, text_kind, text, option_set, extra FROM sample
WHERE id >= ?1 << 32 AND id < ?1 + 1 << 32 ORDER BY id;
-- name: store_sample_last
SELECT coalesce(max(id), 0) FROM sample;
-- name: stage_samples_merge
INSERT INTO main.sample (id, dataset, ord, key, media, path, text_kind, text, option_set, extra)
SELECT id, dataset, ord, key, media, path, text_kind, text, option_set, extra
FROM stage.stage_sample ORDER BY id;
-- name: store_fill_text
UPDATE sample SET text = ?2, text_kind = ?3 WHERE id = ?1;
-- name: store_fill_path
UPDATE sample SET path = ?2, media = ?3 WHERE id = ?1;
-- name: store_fill_options
UPDATE sample SET option_set = ?2 WHERE id = ?1;
-- name: store_fill_extra
UPDATE sample SET extra = ?2 WHERE id = ?1;
-- name: store_media_paths
SELECT sample & 4294967295, path FROM sample_media WHERE sample >= ?1 AND sample < ?2
ORDER BY sample, pos;
-- name: store_media_put
INSERT OR REPLACE INTO sample_media (sample, pos, path) VALUES (?1, ?2, ?3);
-- name: store_option_next
SELECT coalesce(max(id), 0) + 1 FROM option_set;
-- name: store_option_texts
SELECT o.id, coalesce(json_extract(j.value, '$[0]'), '') FROM option_set o, json_each(o.items) j
WHERE o.dataset = ?1 ORDER BY o.id, j.key;
-- name: store_option_put
INSERT INTO option_set (id, dataset, items) VALUES (?1, ?2, ?3);

-- name: store_facet_list
SELECT id, name, numeric, multi FROM facet WHERE dataset = ?1 ORDER BY id;
-- name: store_facet_next
SELECT coalesce(max(id), 0) + 1 FROM facet;
-- name: store_facet_put
INSERT INTO facet (id, dataset, name, numeric, multi) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (id) DO UPDATE SET numeric = excluded.numeric, multi = excluded.multi;
-- name: store_facet_derived
UPDATE facet SET derived = ?3 WHERE dataset = ?1 AND name = ?2 AND derived <> ?3;
-- name: store_facet_values
SELECT ord, name, parent FROM facet_value WHERE facet = ?1 ORDER BY ord;
-- name: store_facet_value_put
INSERT INTO facet_value (facet, ord, name, parent) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (facet, ord) DO UPDATE SET parent = excluded.parent;

-- name: store_layer_get
SELECT id, kind FROM layer WHERE dataset = ?1 AND name = ?2;
-- name: store_layer_next
SELECT coalesce(max(id), 0) + 1 FROM layer;
-- name: store_layer_put
INSERT INTO layer (id, dataset, name, kind, source, n_labelled) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (id) DO UPDATE SET n_labelled = excluded.n_labelled;
-- name: store_layer_fields
SELECT class FROM layer_field WHERE layer = ?1 ORDER BY pos;
-- name: store_layer_field_put
INSERT OR REPLACE INTO layer_field (layer, pos, class, name) VALUES (?1, ?2, ?3, ?4);

-- name: store_model_put
INSERT OR IGNORE INTO model (name) VALUES (?1);
-- name: store_run_get
SELECT id, n FROM run WHERE dataset = ?1 AND handle = ?2;
-- name: store_run_next
SELECT coalesce(max(id), 0) + 1 FROM run;
-- name: store_run_put
INSERT INTO run (id, dataset, model, handle, title, protocol, prompt, response_format, encoder,
list_rule, open_world, settings, source, n, imported, scratch, parent)
VALUES (?1, ?2, (SELECT id FROM model WHERE name = ?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
?14, ?15, ?16, (SELECT id FROM run WHERE dataset = ?2 AND handle = ?17));
-- name: store_run_grow
UPDATE run SET n = ?2 WHERE id = ?1;
-- name: store_run_columns
SELECT name FROM col WHERE owner_kind = 3 AND owner = ?1 ORDER BY name;

-- name: store_chunk_put
INSERT INTO chunk (run, field, start, n, codec, ords, lens, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
-- name: store_chunk_ids
SELECT id FROM chunk WHERE run = ?1 AND field = ?2 ORDER BY start;
-- name: store_chunk_get
SELECT ords, lens, data, start, codec FROM chunk WHERE id = ?1;
-- name: store_chunk_end
SELECT coalesce((SELECT start + length(data) FROM chunk WHERE run = ?1 AND field = ?2
ORDER BY start DESC LIMIT 1), 0);
-- name: store_chunks_drop_field
DELETE FROM chunk WHERE run = ?1 AND field = ?2;
-- name: store_column_drop
DELETE FROM col WHERE owner_kind = 3 AND owner = ?1 AND name = ?2;
-- name: store_chunks_drop
DELETE FROM chunk WHERE run = ?1;
-- name: stage_chunk_put
INSERT INTO stage.stage_chunk (run, field, start, n, codec, ords, lens, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
-- name: stage_chunk_ids
SELECT id FROM stage.stage_chunk WHERE run = ?1 AND field = ?2 ORDER BY start;
-- name: stage_chunk_get
SELECT ords, lens, data, start, codec FROM stage.stage_chunk WHERE id = ?1;
-- name: stage_chunks_merge
INSERT INTO main.chunk (run, field, start, n, codec, ords, lens, data)
SELECT run, field, start, n, codec, ords, lens, data FROM stage.stage_chunk WHERE run = ?1
ORDER BY id;

-- SQL for people (sql*.c).
-- name: sql_tables
WITH t (name, kind) AS (VALUES ('prediction', 1), ('verdict', 2), ('label', 3)
UNION ALL SELECT name, 4 FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_')
SELECT t.name AS "table", c.name AS "column", c.type FROM t, pragma_table_info(t.name) c
ORDER BY t.kind, t.name, c.cid;
-- name: sql_counts
SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM layer);
