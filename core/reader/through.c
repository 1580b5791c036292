#include "core/reader/through.h"

enum status through_class(struct sink *s, const struct rec_class *r, struct err *err)
{
	return sink_class(through_next(s), r, err);
}

enum status through_pair(struct sink *s, const struct rec_pair *r, struct err *err)
{
	return sink_pair(through_next(s), r, err);
}

enum status through_tree(struct sink *s, const struct rec_tree *r, struct err *err)
{
	return sink_tree(through_next(s), r, err);
}

enum status through_run(struct sink *s, const struct rec_run *r, uint32_t *run, struct err *err)
{
	return sink_run(through_next(s), r, run, err);
}

enum status through_preset(struct sink *s, struct str preset, struct err *err)
{
	return sink_preset(through_next(s), preset, err);
}

bool through_wants_samples(const struct sink *s)
{
	return sink_wants_samples(through_next(s));
}

enum status through_plains(struct sink *s, const struct rec_plain *v, size_t n, struct err *err)
{
	return sink_plains(through_next(s), v, n, err);
}

enum status through_reference(struct sink *s, const struct rec_reference *r, struct err *err)
{
	return sink_reference(through_next(s), r, err);
}

void through_expect(struct sink *s, struct str key)
{
	sink_expect(through_next(s), key);
}
