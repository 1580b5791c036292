/*
 * stop QUALM JSON: a model that never ends its answer, stopped by Esc on a terminal: milliseconds from
 * the key to the word on the screen, and to the end of the connection as the server sees it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"
#include "tests/unit/lib_asked.h"
#include "tests/unit/lib_project.h"

#define ROUNDS 11
#define BUDGET 100.0

static char *write_config(const struct asked_world *w)
{
	char *path = project_file(w->p.folder, "config");
	FILE *f = fopen(path, "we");

	if (!f)
		exit(1);
	fprintf(f, "[endpoint e]\nbase_url = http://127.0.0.1:%d/v1\nmodel = m\nkey_env = QUERY_TEST_KEY\n",
		server_port(w->server));
	fclose(f);
	return path;
}

static bool show(struct screen *s, struct str text)
{
	while (!screen_shows(s, text))
		if (!screen_take(s, 5000))
			return false;
	return true;
}

/* Both are looked at a thousand times a second. */
static bool stop_once(struct screen *s, struct asked_world *w, double *word, double *end)
{
	double began;

	atomic_store(&w->gone, false);
	if (screen_key(s, STR("\r")) < 0 || !show(s, STR("word word")))
		return false;
	began = bench_ms();
	*word = *end = -1;
	if (write(s->master, "\033", 1) != 1)
		return false;
	while (*word < 0 || *end < 0) {
		screen_take(s, 1);
		if (*word < 0 && screen_shows(s, STR("nothing is kept")))
			*word = bench_ms() - began;
		if (*end < 0 && atomic_load(&w->gone))
			*end = bench_ms() - began;
		if (bench_ms() - began > 5000)
			return false;
	}
	return true;
}

static bool measure(const char *qualm, struct asked_world *w, double *word, double *end)
{
	char *config = write_config(w);
	const char *argv[] = {qualm, w->p.path, "--view", "query", "--config", config, NULL};
	struct screen s;
	bool good = screen_start(&s, argv, true);

	if (good) {
		good = show(&s, STR("goes to"));
		screen_settle(&s, 300);
		for (int i = 0; i < ROUNDS && good; i++) {
			good = stop_once(&s, w, &word[i], &end[i]);
			screen_settle(&s, 200);
		}
		screen_end(&s);
	}
	free(config);
	return good;
}

int main(int argc, char **argv)
{
	double word[ROUNDS], end[ROUNDS];
	struct asked_world w = {.answer = ""};
	FILE *json;
	bool good;

	if (argc != 3) {
		fprintf(stderr, "usage: stop QUALM JSON\n");
		return 2;
	}
	asked_begin(&w);
	atomic_store(&w.how, ASKED_TRICKLE);
	good = measure(argv[1], &w, word, end);
	asked_end(&w);
	json = good ? fopen(argv[2], "we") : NULL;
	if (!json) {
		fprintf(stderr, "stop: it could not be measured\n");
		return 1;
	}
	printf("Esc in an answer: %.1f ms to the word on the screen, %.1f ms to the connection's end   (budget %.0f)\n",
	       bench_median(word, ROUNDS), bench_median(end, ROUNDS), BUDGET);
	fprintf(json, "{\"stop_screen_ms\": %.2f, \"stop_screen_worst_ms\": %.2f, \"stop_connection_ms\": %.2f, "
		      "\"stop_connection_worst_ms\": %.2f}\n",
		word[ROUNDS / 2], word[ROUNDS - 1], end[ROUNDS / 2], end[ROUNDS - 1]);
	return fclose(json) == 0 ? 0 : 1;
}
