#include "tui/view/view.h"

const struct view_class *const view_classes[] = {&home_view,    &browse_view, &gallery_view,
						     &matrix_view,  &classes_view, &runs_view,
						     &agreement_view, &query_view, &sample_view,
						     &contact_view, &help_view,    NULL};

const struct view_class *view_class_find(struct str name)
{
	for (size_t i = 0; view_classes[i]; i++)
		if (str_eqz(name, view_classes[i]->name))
			return view_classes[i];
	return NULL;
}
