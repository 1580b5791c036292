-- Every statement the program runs, by name. A block begins with "-- name: NAME".

-- name: meta_get
SELECT value FROM meta WHERE key = ?1;
