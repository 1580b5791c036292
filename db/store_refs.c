#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/store_internal.h"

#define NONE UINT32_MAX

/* A ref's key: kind, index, length of the scheme, scheme, text. */
#define REF_HEAD (1 + sizeof(int64_t) + sizeof(uint32_t))

static struct str ref_key(struct buf *b, const struct class_ref *ref)
{
	uint32_t n_scheme = (uint32_t)ref->scheme.n;
	struct str text = ref->kind == CLASS_BY_NAME ? str_trim(ref->text) : ref->text;
	int64_t index = ref->kind == CLASS_BY_INDEX ? ref->index : 0;

	/* Too long to be a class's name: an answer's whole text, say. Its bytes are not kept. */
	if (text.n > STORE_NAME_MAX || ref->scheme.n > STORE_NAME_MAX) {
		text.n = 40;
		n_scheme = NONE;
	}
	buf_clear(b);
	store_room(b, REF_HEAD + 2 * STORE_NAME_MAX);
	buf_ch(b, (char)ref->kind);
	buf_put(b, &index, sizeof index);
	buf_put(b, &n_scheme, sizeof n_scheme);
	if (n_scheme != NONE)
		buf_str(b, ref->scheme);
	buf_str(b, text);
	return buf_view(b);
}

/* *too_long: the text is only the beginning of what stood in the file. */
static struct class_ref ref_parse(struct str key, bool *too_long)
{
	struct class_ref ref = {.kind = (enum class_ref_kind)key.p[0]};
	uint32_t n_scheme;

	memcpy(&ref.index, key.p + 1, sizeof ref.index);
	memcpy(&n_scheme, key.p + 1 + sizeof ref.index, sizeof n_scheme);
	*too_long = n_scheme == NONE;
	if (*too_long)
		n_scheme = 0;
	ref.scheme = (struct str){key.p + REF_HEAD, n_scheme};
	ref.text = (struct str){key.p + REF_HEAD + n_scheme, key.n - REF_HEAD - n_scheme};
	return ref;
}

static uint32_t ref_add(struct store *s, const struct class_ref *ref, bool makes)
{
	struct refs *r = &s->refs;
	uint32_t id = intern_add(&r->ref_keys, ref_key(&r->scratch, ref));

	if (id == r->ref.n)
		vec_push(&r->ref, ((struct ref){0}));
	r->ref.v[id].makes |= makes;
	return id;
}

static inline struct memo ends_of(struct str name)
{
	struct memo m = {.n = (uint32_t)name.n};

	if (name.n >= 8) {
		memcpy(&m.head, name.p, 8);
		memcpy(&m.tail, name.p + name.n - 8, 8);
	} else if (name.n) {
		memcpy(&m.head, name.p, name.n);
	}
	return m;
}

/* The ref of a name, from its memo if it has one. */
static uint32_t name_ref(struct store *s, const struct class_ref *ref)
{
	struct refs *r = &s->refs;
	struct memo want = ends_of(ref->text), *m;
	uint64_t hash = (want.head ^ want.tail * 0x9e3779b97f4a7c15u ^ want.n) * 0xa0761d6478bd642fu;
	bool too_long;

	if (!r->memos)
		r->memos = xcalloc(STORE_MEMOS, sizeof *r->memos);
	m = &r->memos[(hash >> 48) % STORE_MEMOS]; /* all bits meet at the top */
	if (m->ref && m->head == want.head && m->tail == want.tail && m->n == want.n &&
	    (m->n <= 16 || memcmp(m->text, ref->text.p, m->n) == 0))
		return m->ref - 1;
	want.ref = ref_add(s, ref, false) + 1;
	/* The key's own text, which stays where it is; of a name with blanks around it less. */
	want.text = ref_parse(intern_key(&r->ref_keys, want.ref - 1), &too_long).text.p;
	if (str_trim(ref->text).n == ref->text.n)
		*m = want;
	return want.ref - 1;
}

uint32_t store_ref_add(struct store *s, const struct class_ref *ref, bool makes)
{
	uint32_t id;

	if (ref->kind != CLASS_BY_NAME || ref->scheme.n || ref->text.n > STORE_NAME_MAX)
		return ref_add(s, ref, makes);
	id = name_ref(s, ref);
	s->refs.ref.v[id].makes |= makes;
	return id;
}

/* By its key: tag, refs, votes. Whoever does not look makes a new one. */
static uint32_t set_put(struct refs *r, struct str key, bool look)
{
	uint32_t id = look ? intern_add(&r->set_keys, key) : intern_append(&r->set_keys, key);

	if (id == r->set.n)
		vec_push(&r->set, ((struct set){.unknown = NONE, .tag = (uint8_t)key.p[0]}));
	return id;
}

/* Lists of truths are looked for while they are few. When there are thousands most are new: one that
 * is not gets another number, and more is lost by looking. */
static uint32_t list_add(struct store *s, uint8_t tag, const struct class_ref *refs, size_t n,
			 const double *votes, bool makes)
{
	struct refs *r = &s->refs;
	size_t bytes = 1 + n * (sizeof(uint32_t) + (votes ? sizeof *votes : 0));
	char small[128], *key = bytes <= sizeof small ? small : xmalloc(bytes);
	bool look = (tag != SET_TRUTH && tag != SET_VOTES) || r->set.n < STORE_MEMOS;
	uint32_t id;

	key[0] = (char)tag;
	for (size_t i = 0; i < n; i++) {
		id = store_ref_add(s, &refs[i], makes);
		memcpy(key + 1 + i * sizeof id, &id, sizeof id);
	}
	if (votes)
		memcpy(key + 1 + n * sizeof id, votes, n * sizeof *votes);
	id = set_put(r, (struct str){key, bytes}, look);
	if (key != small)
		free(key);
	return id;
}

uint32_t store_set_add(struct store *s, uint8_t tag, const struct class_ref *refs, size_t n,
		       const double *votes, bool makes)
{
	struct refs *r = &s->refs;
	char key[1 + sizeof(uint32_t)] = {(char)tag};
	struct alone *at = &r->empty;

	if (n > 1 || votes)
		return list_add(s, tag, refs, n, votes, makes);
	if (n == 1) {
		uint32_t ref = store_ref_add(s, refs, makes);

		at = &r->ref.v[ref].alone;
		memcpy(key + 1, &ref, sizeof ref);
	}
	if (!at->set || at->tag != tag)
		*at = (struct alone){set_put(r, (struct str){key, 1 + n * sizeof(uint32_t)}, at->set) + 1,
				     tag};
	return at->set - 1;
}

uint8_t store_set_tag(const struct store *s, uint32_t set)
{
	return s->refs.set.v[set].tag;
}

size_t store_set_refs(const struct store *s, uint32_t set, const char **refs, const char **votes)
{
	struct str key = intern_key(&s->refs.set_keys, set);
	bool voted = (uint8_t)key.p[0] == SET_VOTES;
	size_t n = (key.n - 1) / (sizeof(uint32_t) + (voted ? sizeof(double) : 0));

	*refs = key.p + 1;
	if (votes)
		*votes = voted ? key.p + 1 + n * sizeof(uint32_t) : NULL;
	return n;
}

struct str store_ref_text(const struct store *s, uint32_t id, char *buf, size_t size)
{
	bool too_long;
	struct class_ref ref = ref_parse(intern_key(&s->refs.ref_keys, id), &too_long);

	if (ref.kind == CLASS_BY_INDEX)
		snprintf(buf, size, "index %" PRId64, ref.index);
	else
		snprintf(buf, size, "\"%.*s%s\"", (int)(ref.text.n > 80 ? 80 : ref.text.n), ref.text.p,
			 too_long || ref.text.n > 80 ? "..." : "");
	return str_z(buf);
}

/* The class that this ref means, or makes up, as far as identities go. */
static void find_classes(struct store *s, const struct class_ref *ref, ordinals *out)
{
	const struct classes *cl = &s->classes;
	uint32_t cls = NONE;

	switch (ref->kind) {
	case CLASS_BY_NAME:
		store_classes_by_name(s, ref->text, out);
		return;
	case CLASS_BY_INDEX:
		cls = store_class_by_index(cl, ref->index);
		break;
	case CLASS_BY_WNID:
		cls = store_class_by_wnid(cl, ref->text);
		break;
	case CLASS_BY_CODE:
		cls = store_class_by_code(cl, ref->scheme, ref->text);
		break;
	}
	if (cls != NONE)
		vec_push(out, cls);
}

static void make_class(struct store *s, const struct class_ref *ref)
{
	switch (ref->kind) {
	case CLASS_BY_NAME:
		if (ref->text.n)
			store_class_make(s, -1, STR_NONE, ref->text);
		break;
	case CLASS_BY_INDEX:
		if (ref->index >= 0)
			store_class_make(s, ref->index, STR_NONE, ref->text);
		break;
	case CLASS_BY_WNID:
		if (ref->text.n)
			store_class_make(s, -1, ref->text, STR_NONE);
		break;
	case CLASS_BY_CODE:
		break;
	}
}

static enum status check_scheme(struct store *s, const struct class_ref *ref, struct err *err)
{
	if (ref->kind != CLASS_BY_CODE ||
	    intern_find(&s->classes.schemes, ref->scheme) != INTERN_NONE)
		return OK;
	return err_set(err, E_FORMAT,
		       "the file names classes by their \"%.*s\" numbers; import a class list that has "
		       "these numbers first",
		       (int)ref->scheme.n, ref->scheme.p);
}

/* Truths and options make up classes only where no class list says which there are. */
static enum status make_classes(struct store *s, struct err *err)
{
	struct refs *r = &s->refs;
	ordinals found = {0};
	enum status st = OK;

	for (uint32_t id = 0; id < r->ref.n && st == OK; id++) {
		bool too_long;
		struct class_ref ref = ref_parse(intern_key(&r->ref_keys, id), &too_long);

		if ((st = check_scheme(s, &ref, err)) != OK || !r->ref.v[id].makes || too_long)
			continue;
		vec_clear(&found);
		find_classes(s, &ref, &found);
		if (!found.n && !s->classes.declared)
			make_class(s, &ref);
		else if (found.n == 1 && ref.kind == CLASS_BY_INDEX)
			store_class_name_blank(s, found.v[0], ref.text);
	}
	vec_release(&found);
	return st;
}

bool store_sets_same(const struct store *s, uint32_t a, uint32_t b)
{
	return a == b || str_eq(intern_key(&s->refs.set_keys, a), intern_key(&s->refs.set_keys, b));
}

static int cmp_u32(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

static void sort(uint32_t *v, size_t n)
{
	if (n > 16) {
		qsort(v, n, sizeof *v, cmp_u32);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint32_t x = v[i];
		size_t k = i;

		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

size_t store_tidy(ordinals *classes, size_t from)
{
	uint32_t *v = classes->v + from;
	size_t n = classes->n - from, kept = 0;

	if (n > 1)
		sort(v, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	classes->n = from + kept;
	return kept;
}

static void resolve_set(struct store *s, uint32_t id)
{
	struct refs *r = &s->refs;
	struct set *set = &r->set.v[id];
	const char *ids;
	size_t n = store_set_refs(s, id, &ids, NULL);

	set->from = r->classes.n;
	for (size_t i = 0; i < n; i++) {
		uint32_t at;
		const struct ref *ref;

		memcpy(&at, ids + i * sizeof at, sizeof at);
		ref = &r->ref.v[at];
		if (n == 1) { /* the common case shares the ref's own classes */
			set->from = ref->from;
			set->n = ref->n;
			set->was = ref->was;
			if (!ref->n)
				set->unknown = at;
			return;
		}
		if (!ref->n && set->unknown == NONE)
			set->unknown = at;
		for (size_t k = 0; k < ref->n; k++)
			vec_push(&r->classes, r->classes.v[ref->from + k]);
	}
	set->n = store_tidy(&r->classes, set->from);
}

/* What the map says of a text that looks like a wnid; false: nothing. */
static bool take_mapped(struct store *s, struct str text)
{
	uint32_t cls = store_class_mapped(s, text);

	if (cls != UINT32_MAX)
		vec_push(&s->refs.classes, cls);
	return cls != UINT32_MAX;
}

enum status store_refs_resolve(struct store *s, struct err *err)
{
	struct refs *r = &s->refs;

	if (store_classes_load(s, err) != OK || make_classes(s, err) != OK)
		return err->code;
	for (uint32_t id = 0; id < r->ref.n; id++) {
		bool too_long;
		struct class_ref ref = ref_parse(intern_key(&r->ref_keys, id), &too_long);
		bool by_text = ref.kind == CLASS_BY_NAME;

		r->ref.v[id].from = r->classes.n;
		if (!too_long)
			find_classes(s, &ref, &r->classes);
		if (!too_long && ref.kind == CLASS_BY_WNID &&
		    r->classes.n == r->ref.v[id].from) /* no class has it */
			by_text = take_mapped(s, ref.text);
		if (!too_long && by_text)
			r->ref.v[id].was = (uint8_t)store_unmapped(s, ref.text);
		r->ref.v[id].n = store_tidy(&r->classes, r->ref.v[id].from);
	}
	for (uint32_t id = 0; id < r->set.n; id++)
		resolve_set(s, id);
	return OK;
}

static bool same_votes(const struct store *s, uint32_t a, uint32_t b)
{
	struct str ka = intern_key(&s->refs.set_keys, a), kb = intern_key(&s->refs.set_keys, b);

	return store_set_tag(s, a) != SET_VOTES || str_eq(ka, kb);
}

bool store_sets_equal(const struct store *s, uint32_t a, uint32_t b)
{
	const struct set *sa = &s->refs.set.v[a], *sb = &s->refs.set.v[b];
	const uint32_t *v = s->refs.classes.v;

	if (a == b)
		return true;
	return store_set_tag(s, a) == store_set_tag(s, b) && sa->n == sb->n && same_votes(s, a, b) &&
	       (sa->n == 0 || memcmp(v + sa->from, v + sb->from, sa->n * sizeof *v) == 0);
}

void store_refs_release(struct refs *r)
{
	intern_release(&r->ref_keys);
	intern_release(&r->set_keys);
	vec_release(&r->ref);
	vec_release(&r->set);
	vec_release(&r->classes);
	buf_release(&r->scratch);
	free(r->memos);
}
