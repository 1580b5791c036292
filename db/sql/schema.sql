-- The project file. Ordinary tables hold what people list and edit; what counts in millions
-- (predictions, truths, facet values) is packed: one BLOB per owner and column in `col`, texts
-- of answers in `chunk`. There is never a row per prediction.
--
-- Ordinals: a sample's `ord` counts from 0 inside its dataset, a class's and a facet value's
-- likewise; they never change once given. sample.id = dataset << 32 | ord.

CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;  -- uuid, created, generation

CREATE TABLE dataset (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    preset TEXT NOT NULL DEFAULT '',       -- lens preset of the publication
    image_root TEXT NOT NULL DEFAULT '',   -- folder of the pictures; relative: to the project's folder
    declared INTEGER NOT NULL DEFAULT 0,   -- a file of samples was imported
    n_samples INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL
);

CREATE TABLE class (
    dataset INTEGER NOT NULL, ord INTEGER NOT NULL,
    idx INTEGER,                           -- the benchmark's own number, or NULL
    wnid TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL,
    parent INTEGER,                        -- ord of another class, or NULL
    declared INTEGER NOT NULL DEFAULT 0,   -- from a class list, not made up from data
    PRIMARY KEY (dataset, ord)
) WITHOUT ROWID;
CREATE TABLE class_alias (
    dataset INTEGER NOT NULL, class INTEGER NOT NULL,
    scheme TEXT NOT NULL,                  -- '' = another name; 'ilsvrc' = a code in that numbering
    alias TEXT NOT NULL,
    PRIMARY KEY (dataset, class, scheme, alias)
) WITHOUT ROWID;
CREATE TABLE equivalence (                 -- a < b
    dataset INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL,
    PRIMARY KEY (dataset, a, b)
) WITHOUT ROWID;
CREATE TABLE label_map (                   -- the user's "this text means that class"
    dataset INTEGER NOT NULL, text TEXT NOT NULL, class INTEGER NOT NULL,
    PRIMARY KEY (dataset, text)
) WITHOUT ROWID;

CREATE TABLE option_set (                  -- options or label sets, shared by samples
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL,
    items TEXT NOT NULL,                   -- JSON: [[text, class ord or null], …]
    UNIQUE (dataset, items)
);
CREATE TABLE sample (
    id INTEGER PRIMARY KEY,                -- dataset << 32 | ord
    dataset INTEGER NOT NULL, ord INTEGER NOT NULL,
    key TEXT NOT NULL,
    media INTEGER NOT NULL DEFAULT 0,      -- none, image, images, video
    path TEXT NOT NULL DEFAULT '',         -- the first; further ones in sample_media
    text_kind INTEGER NOT NULL DEFAULT 0,  -- none, question, statement
    text TEXT NOT NULL DEFAULT '',
    option_set INTEGER,
    extra TEXT NOT NULL DEFAULT ''         -- JSON object of further fields
);
CREATE UNIQUE INDEX sample_key ON sample (dataset, key);
CREATE TABLE sample_media (
    sample INTEGER NOT NULL, pos INTEGER NOT NULL, path TEXT NOT NULL,
    PRIMARY KEY (sample, pos)
) WITHOUT ROWID;

CREATE TABLE facet (
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL,
    name TEXT NOT NULL,
    numeric INTEGER NOT NULL DEFAULT 0,    -- columns: number
    multi INTEGER NOT NULL DEFAULT 0,      -- columns: offset, value; else: value
    derived TEXT NOT NULL DEFAULT '',      -- regular expression over key or path
    UNIQUE (dataset, name)
);
CREATE TABLE facet_value (
    facet INTEGER NOT NULL, ord INTEGER NOT NULL,
    name TEXT NOT NULL,
    parent INTEGER,                        -- ord of another value, or NULL
    PRIMARY KEY (facet, ord)
) WITHOUT ROWID;

CREATE TABLE layer (                       -- columns: covered; offset, value | votes
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind INTEGER NOT NULL DEFAULT 0,       -- class sets, votes, ratings
    source TEXT NOT NULL DEFAULT '',
    n_labelled INTEGER NOT NULL DEFAULT 0,
    UNIQUE (dataset, name)
);
CREATE TABLE layer_field (                 -- votes: class of each column; ratings: the rater
    layer INTEGER NOT NULL, pos INTEGER NOT NULL,
    class INTEGER, name TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (layer, pos)
) WITHOUT ROWID;

-- A run's column text_mapped is set where an answer has its class from the label map: to what it
-- would be without. A layer's columns was_ord, was_offset and was_value keep the sets of which the
-- map has made others.
CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE run (                         -- columns: outcome, label, list_ord + list_offset +
    id INTEGER PRIMARY KEY,                --   list_value, text_<field>, score, latency, tokens,
    dataset INTEGER NOT NULL,              --   batch_size, batch_pos, and any number by name
    model INTEGER NOT NULL REFERENCES model,
    handle TEXT NOT NULL,
    title TEXT NOT NULL,
    protocol TEXT NOT NULL DEFAULT '',
    prompt TEXT NOT NULL DEFAULT '',
    response_format TEXT NOT NULL DEFAULT '',
    encoder TEXT NOT NULL DEFAULT '',
    list_rule INTEGER NOT NULL DEFAULT 0,
    open_world INTEGER NOT NULL DEFAULT 0, -- an unmapped oop is not counted yet
    settings TEXT NOT NULL DEFAULT '',     -- JSON object: temperature, seed, limits, …
    parent INTEGER,                        -- derived from this run (mapped, parsed again)
    repeat_of INTEGER, repeat_no INTEGER,
    scratch INTEGER NOT NULL DEFAULT 0,
    source TEXT NOT NULL DEFAULT '',
    n INTEGER NOT NULL DEFAULT 0,          -- predictions
    imported TEXT NOT NULL,
    UNIQUE (dataset, handle)
);

CREATE TABLE col (
    id INTEGER PRIMARY KEY,
    owner_kind INTEGER NOT NULL,           -- dataset, layer, facet, run
    owner INTEGER NOT NULL,
    name TEXT NOT NULL,
    dtype INTEGER NOT NULL,
    n INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (owner_kind, owner, name)
);
-- The texts of one field of one run form a stream of bytes, cut into chunks of about 128 KiB at
-- entry bounds. Column text_<field> has each sample's place in the stream; an empty text has no
-- entry and no place.
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    field INTEGER NOT NULL,
    start INTEGER NOT NULL,                -- place of the first byte in the stream
    n INTEGER NOT NULL,                    -- entries
    codec INTEGER NOT NULL DEFAULT 0,      -- 0: as is
    ords BLOB NOT NULL,                    -- u32[n]: sample ordinals
    lens BLOB NOT NULL,                    -- u32[n]: bytes
    data BLOB NOT NULL
);
CREATE UNIQUE INDEX chunk_place ON chunk (run, field, start);

CREATE TABLE import (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL, path TEXT NOT NULL, reader TEXT NOT NULL, dataset INTEGER,
    rows INTEGER NOT NULL, skipped INTEGER NOT NULL, unmatched INTEGER NOT NULL,
    report TEXT NOT NULL DEFAULT ''        -- JSON: warnings and first examples
);
CREATE TABLE recipe (name TEXT PRIMARY KEY, spec TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE reference (                   -- figures of people or of a paper; never runs
    dataset INTEGER NOT NULL, name TEXT NOT NULL, grp TEXT NOT NULL, metric TEXT NOT NULL,
    value REAL NOT NULL, source TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (dataset, name, grp, metric)
) WITHOUT ROWID;
CREATE TABLE vector (                      -- embeddings of texts, by encoder
    encoder TEXT NOT NULL, text TEXT NOT NULL, dim INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (encoder, text)
);
CREATE TABLE request (                     -- what a scratch run still has to ask
    run INTEGER NOT NULL, ord INTEGER NOT NULL, repeat INTEGER NOT NULL DEFAULT 0,
    state INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, ord, repeat)
) WITHOUT ROWID;

-- The user's own things. The same tables make up the overlay file of a read-only project, so
-- they name dataset and sample by their texts.
CREATE TABLE note (                        -- ids are never used again: undo and redo mean the same note
    id INTEGER PRIMARY KEY AUTOINCREMENT, dataset TEXT NOT NULL, sample TEXT NOT NULL,
    text TEXT NOT NULL, author TEXT NOT NULL DEFAULT '', created TEXT NOT NULL, changed TEXT NOT NULL
);
CREATE INDEX note_sample ON note (dataset, sample);
CREATE TABLE tag (
    dataset TEXT NOT NULL, sample TEXT NOT NULL, name TEXT NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY (dataset, sample, name)
) WITHOUT ROWID;
CREATE TABLE mark (dataset TEXT NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (dataset, sample)) WITHOUT ROWID;
CREATE TABLE seen (
    dataset TEXT NOT NULL, sample TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (dataset, sample)
) WITHOUT ROWID;
CREATE TABLE review (                      -- decisions that make the layer `mine`
    dataset TEXT NOT NULL, sample TEXT NOT NULL, decision TEXT NOT NULL,
    classes TEXT NOT NULL,                 -- JSON: class indices, wnids or names
    evidence TEXT NOT NULL DEFAULT '', author TEXT NOT NULL DEFAULT '', created TEXT NOT NULL,
    PRIMARY KEY (dataset, sample)
) WITHOUT ROWID;
CREATE TABLE saved_filter (
    dataset TEXT NOT NULL, name TEXT NOT NULL, filter TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT '',        -- JSON: lens, a, b, panel, view, sort
    created TEXT NOT NULL, PRIMARY KEY (dataset, name)
) WITHOUT ROWID;
CREATE TABLE lens_preset (
    dataset TEXT NOT NULL, name TEXT NOT NULL, lens TEXT NOT NULL, PRIMARY KEY (dataset, name)
) WITHOUT ROWID;
CREATE TABLE panel (
    dataset TEXT NOT NULL, pos INTEGER NOT NULL, handle TEXT NOT NULL, PRIMARY KEY (dataset, pos)
) WITHOUT ROWID;
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (                     -- every edit, for undo and redo across restarts
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, dataset TEXT NOT NULL, kind TEXT NOT NULL,
    label TEXT NOT NULL,                   -- what the message line says: "tag 12 samples: blurry"
    undo TEXT NOT NULL, redo TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0
);
