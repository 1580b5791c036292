#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/net/chat.h"
#include "core/net/embed.h"
#include "core/net/models.h"
#include "core/net/saying.h"
#include "tui/config.h"
#include "tui/doctor.h"

#define QUESTION   "Answer with the one word: ready"
#define MAX_TOKENS 256 /* room for models that think first */

/* --- before anything is sent --- */

static bool is_local(const struct endpoint *e)
{
	struct str host = endpoint_host(e);

	return str_starts(host, STR("127.")) || str_starts(host, STR("localhost")) ||
	       str_starts(host, STR("[::1]"));
}

static bool say_key(struct doctor *d, const struct endpoint *e)
{
	struct buf source = BUF_INIT;
	struct secrets secrets;
	struct err err = ERR_INIT;
	bool ok = secrets_fetch(e, &secrets, &err) == OK;

	endpoint_key_source(e, &source);
	if (!ok)
		doctor_say(d, FINDING_FIX, "key", "%s", err.msg);
	else
		doctor_say(d, FINDING_OK, "key", "%s", buf_cstr(&source));
	if (ok && secrets.key.value && !is_local(e) && str_starts(str_z(e->base_url), STR("http:")))
		doctor_say(d, FINDING_NOTE, "key",
			   "it is sent without encryption: base_url begins "
			   "with http and the host is another machine");
	buf_release(&source);
	secrets_release(&secrets);
	return ok;
}

static void say_proxy(struct doctor *d, const struct endpoint *e)
{
	static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy",
					    "ALL_PROXY"};
	bool tls = str_starts(str_z(e->base_url), STR("https:"));

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		bool other = tls ? str_eqz(str_z(names[i]), "http_proxy")
				 : str_find_nocase(str_z(names[i]), STR("https")) == 0;

		if (!value || !*value || other)
			continue;
		doctor_say(d, FINDING_NOTE, "proxy",
			   "$%s is set: requests go through it, unless $no_proxy names the host",
			   names[i]);
		return;
	}
}

/* --- asking --- */

static void say_model(struct doctor *d, const struct endpoint *e, const struct models *m)
{
	struct nearest near = {.word = str_z(e->model)};

	for (size_t i = 0; i < m->n; i++) {
		if (strcmp(m->v[i], e->model) == 0) {
			doctor_say(d, FINDING_OK, "model", "%s, one of %zu", e->model, m->n);
			return;
		}
		nearest_offer(&near, m->v[i]);
	}
	if (near.best)
		doctor_say(d, FINDING_NOTE, "model",
			   "%s is not among the server's %zu models; is %s "
			   "meant?",
			   e->model, m->n, near.best);
	else
		doctor_say(d, FINDING_NOTE, "model",
			   "%s is not among the server's %zu models, which "
			   "begin with %s",
			   e->model, m->n, m->n ? m->v[0] : "none");
}

static void say_choice(struct doctor *d, const struct models *m)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < m->n && i < 10; i++)
		buf_printf(&names, "%s%.60s", i ? ", " : "", m->v[i]);
	doctor_say(d, FINDING_FIX, "model", "the endpoint names no model; the server has %zu%s%s",
		   m->n, m->n ? ": " : "", buf_cstr(&names));
	buf_release(&names);
}

/* false: nothing more can be asked. */
static bool ask_models(struct doctor *d, struct net *net, const struct endpoint *e,
		       struct cancel *cancel)
{
	struct models models;
	struct err err = ERR_INIT;
	enum net_fail fail;
	bool go_on = true;

	if (models_list(net, e, cancel, &models, &fail, &err) == OK && e->model) {
		say_model(d, e, &models);
	} else if (!err.code) {
		say_choice(d, &models);
		go_on = false;
	} else if (fail == NET_PATH || fail == NET_GARBLED || fail == NET_REQUEST) {
		doctor_say(d, FINDING_NOTE, "models", "no list of them is to be had; %s", err.msg);
		go_on = e->model != NULL;
	} else {
		doctor_say(d, FINDING_FIX, "server", "%s", err.msg);
		go_on = false;
	}
	models_release(&models);
	return go_on;
}

static void say_answer(struct doctor *d, const struct chat_reply *r)
{
	struct buf text = BUF_INIT, tokens = BUF_INIT;

	saying_clean(NULL, buf_view(&r->text), 60, &text);
	if (r->tokens_in >= 0 && r->tokens_out >= 0)
		buf_printf(&tokens, "; tokens: %lld in, %lld out", (long long)r->tokens_in,
			   (long long)r->tokens_out);
	if (text.n)
		doctor_say(d, FINDING_OK, "answer", "\"%s\" in %.0f ms%s", buf_cstr(&text),
			   r->latency_ms, buf_cstr(&tokens));
	else
		doctor_say(d, FINDING_NOTE, "answer", "empty, after %.0f ms (%s%s)%s",
			   r->latency_ms, *r->finish ? r->finish : "no reason given",
			   r->reasoning.n ? ", with thoughts" : "", buf_cstr(&tokens));
	if (!r->streamed)
		doctor_say(d, FINDING_NOTE, "stream",
			   "answers come in one piece, not as they are made");
	if (r->tries > 1)
		doctor_say(d, FINDING_NOTE, "tries", "%d were needed", r->tries);
	buf_release(&text);
	buf_release(&tokens);
}

/* A model of vectors alone is no model to ask, and nothing is wrong with it. */
static bool embeds(struct doctor *d, struct net *net, const struct endpoint *e, struct cancel *cancel)
{
	static const struct str text = STR("ready");
	struct embed_result got = {0};
	struct err err = ERR_INIT;
	bool ok = embed_texts(net, e, &text, 1, NULL, cancel, &got, &err) == OK;

	if (ok)
		doctor_say(d, FINDING_OK, "vectors",
			   "%u numbers for a text; it embeds texts (qualm map), and answers no "
			   "questions",
			   got.dim);
	embed_result_release(&got);
	return ok;
}

static bool may_be_no_chat(enum net_fail fail)
{
	return fail == NET_MODEL || fail == NET_PATH || fail == NET_REQUEST;
}

static void ask_question(struct doctor *d, struct net *net, const struct endpoint *e,
			 struct cancel *cancel)
{
	struct chat_part part = {.kind = CHAT_TEXT, .text = STR(QUESTION)};
	struct chat_message message = {"user", &part, 1};
	struct chat_request q = {
	    .messages = &message, .n_messages = 1, .max_tokens = MAX_TOKENS, .stream = true};
	struct chat_reply reply;
	struct err err = ERR_INIT;

	chat_reply_init(&reply);
	if (chat_ask(net, e, &q, NULL, cancel, &reply, &err) == OK)
		say_answer(d, &reply);
	else if (!may_be_no_chat(reply.fail) || !embeds(d, net, e, cancel))
		doctor_say(d, FINDING_FIX, "answer", "%s", err.msg);
	chat_reply_release(&reply);
}

/* --- all of it --- */

static void try_endpoint(struct doctor *d, const struct endpoint *e, struct cancel *cancel)
{
	struct err err = ERR_INIT;
	struct net *net = NULL;

	doctor_say(d, FINDING_OK, "address", "%s", e->base_url);
	if (!say_key(d, e))
		return;
	say_proxy(d, e);
	if (net_new(NULL, &net, &err) != OK)
		doctor_say(d, FINDING_FIX, "libcurl", "%s", err.msg);
	else if (ask_models(d, net, e, cancel))
		ask_question(d, net, e, cancel);
	net_free(net);
}

void doctor_endpoint(struct doctor *d, const struct cli *cli, const char *name)
{
	const struct endpoint *e = NULL;
	struct config config;
	struct err err = ERR_INIT;

	if (config_load(&config, cli->config, &err) != OK) {
		doctor_say(d, FINDING_FIX, "config", "%s", err.msg);
		return;
	}
	if (endpoint_find(&config.endpoints, name, &e, &err) != OK)
		doctor_say(d, FINDING_FIX, "endpoint", "%s", err.msg);
	else
		try_endpoint(d, e, cli->cancel);
	config_release(&config);
}
