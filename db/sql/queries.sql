-- Every statement the program runs, by name. A block begins with "-- name: NAME".

-- name: meta_get
SELECT value FROM meta WHERE key = ?1;
-- name: meta_set
INSERT INTO meta (key, value) VALUES (?1, ?2)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;
-- name: generation_bump
UPDATE meta SET value = value + 1 WHERE key = 'generation';
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
-- name: layer_list
SELECT id, name, kind FROM layer WHERE dataset = ?1 ORDER BY id;
-- name: layer_field_list
SELECT pos, class FROM layer_field WHERE layer = ?1 ORDER BY pos;
-- name: run_list
SELECT run.id, run.handle, run.title, model.name, run.protocol, run.list_rule, run.open_world,
       run.scratch
FROM run LEFT JOIN model ON model.id = run.model
WHERE run.dataset = ?1 ORDER BY run.id;

-- name: sample_range
SELECT id, key, media, path, text_kind, text, extra, option_set FROM sample
WHERE id BETWEEN ?1 AND ?2;
-- name: sample_by_key
SELECT id FROM sample WHERE dataset = ?1 AND key = ?2;
-- name: search_forward
SELECT id, key, text FROM sample WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3;
-- name: search_backward
SELECT id, key, text FROM sample WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3;
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
