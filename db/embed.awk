# Turns text into C. mode=queries: blocks "-- name: x" become an enum (header) or tables (source,
# part=c). mode=text: whole files become strings `const char NAME[]` by -v name=..., with an
# optional table of several files (mode=table, name=TABLE, type=STRUCT).
function quote(s) {
    gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/\t/, "\\t", s)
    return "\"" s "\\n\""
}
function flush_query() {
    if (n) { sql[n] = body }
    body = ""
}
BEGIN { if (mode == "text") { print "extern const char " name "[];"; print "const char " name "[] =" } }
mode == "text" { print "    " quote($0); next }
mode == "table" && FNR == 1 {
    f = FILENAME; sub(/.*\//, "", f); sub(/\.[^.]*$/, "", f)
    if (k++) print "},"
    print "{\"" f "\","
}
mode == "table" { print "    " quote($0); next }
mode == "queries" && /^-- name: / { flush_query(); n++; names[n] = $3; next }
mode == "queries" && /^--/ { next }
mode == "queries" && n { body = body $0 "\n" }
END {
    if (mode == "text") print "    \"\";"
    if (mode == "table" && k) print "},"
    if (mode == "queries") {
        flush_query()
        if (part == "h") {
            print "enum stmt_id {"
            for (i = 1; i <= n; i++) print "\tSTMT_" toupper(names[i]) ","
            print "\tN_STMTS\n};"
        } else {
            print "#include \"db/stmt.h\"\nconst char *const stmt_name[] = {"
            for (i = 1; i <= n; i++) print "\t\"" names[i] "\","
            print "};\nconst char *const stmt_sql[] = {"
            for (i = 1; i <= n; i++) {
                m = split(sql[i], line, "\n")
                for (j = 1; j < m; j++) print "\t" quote(line[j])
                print "\t,"
            }
            print "};\n_Static_assert(sizeof stmt_sql / sizeof *stmt_sql == N_STMTS, \"one text a statement\");"
        }
    }
}
