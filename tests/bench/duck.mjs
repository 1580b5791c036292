// duck.mjs FILE samples.jsonl predictions.jsonl: the same data into tables of a new DuckDB file.
import { createRequire } from "node:module";
const { DuckDBInstance } = createRequire(process.cwd() + "/")("@duckdb/node-api");
const [file, samples, predictions] = process.argv.slice(2);
const text = (s) => `'${s.replaceAll("'", "''")}'`;
const load = (path, columns) =>
	`read_json(${text(path)}, format = 'newline_delimited', columns = {${columns}})`;
const instance = await DuckDBInstance.create(file, { threads: process.env.THREADS ?? "2" });
const db = await instance.connect();
await db.run(`create table sample as select * from ${load(samples,
	"id: 'VARCHAR', image: 'VARCHAR', label: 'VARCHAR', category: 'VARCHAR', emotion_word: 'VARCHAR', " +
	"dimension: 'VARCHAR', labels_multi: 'VARCHAR[]', question: 'VARCHAR'")}`);
await db.run(`create table prediction as select * from ${load(predictions,
	"sample_id: 'VARCHAR', model: 'VARCHAR', protocol: 'VARCHAR', prediction: 'VARCHAR', confidence: 'FLOAT', " +
	"latency_ms: 'FLOAT', tokens: 'INTEGER', response: 'VARCHAR'")}`);
await db.run("checkpoint");
const rows = await db.runAndReadAll("select (select count(*) from sample), (select count(*) from prediction)");
const version = await db.runAndReadAll("select version()");
console.log(version.getRows()[0][0], ...rows.getRows()[0].map(String));
db.closeSync();
instance.closeSync();
