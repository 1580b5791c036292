// duck.mjs load FILE samples.jsonl predictions.jsonl: the corpus into tables of a new DuckDB file.
// duck.mjs pack FILE: the same once more as numbers, sorted by run and sample, texts apart.
// duck.mjs ask FILE ROUNDS: the questions of query.c, "key milliseconds answer" a line.
// duck.mjs open FILE: opens and asks one question.
// The module is looked for from the folder in $DUCKDB, else along $NODE_PATH.
import { createRequire } from "node:module";

const roots = [process.env.DUCKDB, ...(process.env.NODE_PATH ?? "").split(":"), process.cwd()];
function module() {
	for (const root of roots.filter(Boolean)) {
		try {
			return createRequire(`${root}/`)("@duckdb/node-api");
		} catch (e) {
			if (e.code !== "MODULE_NOT_FOUND") throw e;
		}
	}
	console.error("@duckdb/node-api is not there");
	process.exit(3);
}

const text = (s) => `'${s.replaceAll("'", "''")}'`;
const lines = (path, columns) =>
	`read_json(${text(path)}, format = 'newline_delimited', columns = {${columns}})`;

async function load(db, samples, predictions) {
	await db.run(`create table sample as select * from ${lines(samples,
		"id: 'VARCHAR', image: 'VARCHAR', label: 'VARCHAR', category: 'VARCHAR', emotion_word: 'VARCHAR', " +
		"dimension: 'VARCHAR', labels_multi: 'VARCHAR[]', question: 'VARCHAR'")}`);
	await db.run(`create table prediction as select * from ${lines(predictions,
		"sample_id: 'VARCHAR', model: 'VARCHAR', protocol: 'VARCHAR', prediction: 'VARCHAR', confidence: 'FLOAT', " +
		"latency_ms: 'FLOAT', tokens: 'INTEGER', response: 'VARCHAR'")}`);
	await db.run("checkpoint");
	const [n] = (await db.runAndReadAll(
		"select (select count(*) from sample), (select count(*) from prediction)")).getRows();
	console.log(...n.map(String));
}

// The numbers of classes and values are those of their names, as far as this corpus goes.
async function pack(db) {
	for (const name of ["category", "emotion_word", "dimension"])
		await db.run(`create or replace table d_${name} as select ${name} as name, row_number() over (order by ${name}) as id
			from (select distinct ${name} from sample)`);
	await db.run(`create or replace table s as select cast(substr(sample.id, 5) as integer) as ord, sample.id as key, image, question,
		cast(substr(label, 7) as usmallint) as gt, cast(c.id as utinyint) as cat,
		cast(e.id as utinyint) as emo, cast(d.id as utinyint) as dim
		from sample join d_category c on c.name = category join d_emotion_word e on e.name = emotion_word
		join d_dimension d on d.name = dimension order by 1`);
	await db.run(`create or replace table p as select cast(substr(model, 14) as utinyint) as run,
		cast(substr(sample_id, 5) as integer) as ord, cast(substr(prediction, 7) as usmallint) as label,
		confidence, latency_ms, tokens, response from prediction order by 1, 2`);
	await db.run("checkpoint");
}

const id = (name, value) => `(select id from d_${name} where name = ${text(value)})`;
const narrow = `cat in (${id("category", "S+")}, ${id("category", "M-")}) and
	emo = ${id("emotion_word", "awe")} and dim = ${id("dimension", "size")}`;
const facet = (own, name, wheres) => `select '${name}' as f, ${own} as v, count(*) as n from s
	where ${wheres.join(" and ")} group by v`;
const wheres = {
	cat: `cat in (${id("category", "S+")}, ${id("category", "M-")})`,
	emo: `emo = ${id("emotion_word", "awe")}`,
	dim: `dim = ${id("dimension", "size")}`,
};
const others = (own) => Object.keys(wheres).filter((k) => k !== own).map((k) => wheres[k]);
const matrix = (where) => `with m as (select gt, label, count(*) as n from p join s using (ord)
	where run = 0 ${where} group by gt, label), top as (select * from m where gt <> label
	order by n desc, gt, label limit 50) select count(*) + 0 * (select sum(n) from top) from m`;
const needle = "lower(response) like '%animal near%'";
const questions = {
	filter: `select count(*) from s where ${narrow}`,
	facets: `select sum(n) from (${Object.keys(wheres).map((k) => facet(k, k, others(k))).join(" union all ")})`,
	accuracies: `select sum(n) from (select run, count(*) as n from p join s using (ord)
		where ${narrow} and label = gt group by run)`,
	matrix_filtered: matrix(`and ${narrow}`),
	matrix: matrix(""),
	a_right_b_wrong: `select count(*) from p a join p b using (ord) join s using (ord)
		where a.run = 0 and b.run = 1 and a.label = gt and b.label <> gt and ${narrow}`,
	page: `select sum(strlen(response)) from (select s.*, response from s join p using (ord)
		where run = 0 and ${narrow} and ord >= (select count(*) - count(*) // 10 from s) order by ord limit 50)`,
	search_one: `select count(*) from p where run = 0 and ${needle}`,
	search_all: `select count(distinct ord) from p where ${needle}`,
};

async function ask(db, rounds) {
	for (const [key, sql] of Object.entries(questions)) {
		const took = [];
		let answer;
		for (let i = 0; i <= rounds; i++) {
			const began = process.hrtime.bigint();
			answer = (await db.runAndReadAll(sql)).getRows()[0][0];
			if (i) took.push(Number(process.hrtime.bigint() - began) / 1e6);
		}
		took.sort((a, b) => a - b);
		console.log(key, took[took.length >> 1].toFixed(4), String(answer));
	}
}

const [what, file, ...rest] = process.argv.slice(2);
const { DuckDBInstance } = module();
const instance = await DuckDBInstance.create(file, { threads: process.env.THREADS ?? "2" });
const db = await instance.connect();
if (what === "load") await load(db, ...rest);
else if (what === "pack") await pack(db);
else if (what === "ask") await ask(db, Number(rest[0]));
else if (what === "open") console.log(String((await db.runAndReadAll(questions.filter)).getRows()[0][0]));
else if (what === "version") console.log((await db.runAndReadAll("select version()")).getRows()[0][0]);
db.closeSync();
instance.closeSync();
