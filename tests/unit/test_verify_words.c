/* Classes of answers against the texts that name them: a class that is another valid one than the
 * text's is found and not guessed at; what does not go by names is left in peace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

#define N 20

/* Answers k0 … k19: said[i % n] in words, of the class classes[i % n], "" = as the words say. */
struct file {
	const char *said[4], *classes[4];
	int n;
	bool extracted; /* from a longer text */
};

static void put_answer(struct feed *f, uint32_t run, int i, const struct file *file)
{
	const char *said = file->said[i % file->n], *cls = file->classes[i % file->n];
	struct class_ref refs[8];
	struct rec_prediction p;
	char key[16], raw[64];

	snprintf(key, sizeof key, "k%d", i);
	snprintf(raw, sizeof raw, "I would say %s, number %d", said, i);
	rec_prediction_init(&p);
	p.run = run;
	p.key = str_z(key);
	p.outcome = OUTCOME_ANSWERED;
	p.refs = refs;
	p.n_refs = feed_refs(*cls ? cls : said, refs);
	p.raw = str_z(file->extracted ? raw : said);
	p.extracted = file->extracted ? str_z(said) : STR_NONE;
	feed_prediction(f, &p);
}

static void put_file(struct conn *c, const struct file *file)
{
	struct feed f = {0};
	char key[16];
	uint32_t run;

	feed_begin(&f, c, "d");
	feed_class(&f, 0, "n1", "cat", "kitty");
	feed_class(&f, 1, "n2", "dog", NULL);
	feed_class(&f, 2, "n3", "crane", NULL);
	feed_class(&f, 3, "n4", "crane", NULL);
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof key, "k%d", i);
		feed_sample(&f, key, NULL, NULL, "cat");
	}
	run = feed_run(&f, "m", "cw");
	for (int i = 0; i < N; i++)
		put_answer(&f, run, i, file);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

/* The class of k3 becomes that of k2. */
static void alter(struct conn *c)
{
	project_exec(c, "UPDATE col SET data = substr(data, 1, 3) || substr(data, 3, 1) || substr(data, 5) "
			"WHERE owner_kind = 3 AND owner = 1 AND name = 'label'");
}

/* words NULL: nothing is found, before or after. */
static void altered(const struct file *file, const char *words)
{
	struct place p = place_new(true);
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	put_file(p.c, file);
	must_be_sound(p.c, file->said[0]);
	alter(p.c);
	for (int repair = 0; repair < 2; repair++) {
		assert_int_equal(verify_heard(p.c, repair, &h, &counts, &left, &err), OK);
		assert_int_equal(counts.findings, words != NULL);
		assert_int_equal(repair ? left.findings : 0, repair && words);
		if (words && !strstr(buf_cstr(&h.text), words))
			fail_msg("%s", buf_cstr(&h.text));
		heard_release(&h);
	}
	place_end(&p);
}

static void names(void **state)
{
	static const char words[] = "answers of another class than their texts name (1: sample 3 says dog "
				    "and is cat) not to be repaired";

	(void)state;
	altered(&(struct file){{"cat", "dog"}, {"", ""}, 2, false}, words);
	altered(&(struct file){{"cat", "dog"}, {"", ""}, 2, true}, words);
	altered(&(struct file){{"kitty", "Dog"}, {"", ""}, 2, false}, "says dog and is cat");
}

/* A number counts, whatever its text is; a text need not be a name; two classes may have one. */
static void no_names(void **state)
{
	(void)state;
	altered(&(struct file){{"dog", "cat"}, {"#0", "#1"}, 2, false}, NULL);
	altered(&(struct file){{"a cat", "a dog"}, {"#0", "#1"}, 2, false}, NULL);
	altered(&(struct file){{"A", "B"}, {"#0", "#1"}, 2, false}, NULL);
	altered(&(struct file){{"crane", "crane"}, {"#2", "#3"}, 2, false}, NULL);
	altered(&(struct file){{"1", "0"}, {"", ""}, 2, true}, NULL);
}

/* A file gives both, and contradicts itself now and then. */
static void contradictions(void **state)
{
	struct place p = place_new(true);
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	(void)state;
	put_file(p.c, &(struct file){{"cat", "dog", "dog", "dog"}, {"#0", "#1", "#1", "#0"}, 4, false});
	assert_int_equal(verify_heard(p.c, false, &h, &counts, &left, &err), OK);
	assert_int_equal(counts.findings, 1);
	if (!strstr(buf_cstr(&h.text), "than their texts name (5: sample 3 says dog and is cat"))
		fail_msg("%s", buf_cstr(&h.text));
	heard_release(&h);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names),
	    cmocka_unit_test(no_names),
	    cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
