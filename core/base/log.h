/*
 * The log: for the developer's eyes, off by default. QUALM_LOG=FILE or log_open() turns it on.
 * Never holds a key, a header or an answer's text. The only global state besides signals.
 */
#ifndef QUALM_CORE_BASE_LOG_H
#define QUALM_CORE_BASE_LOG_H

void log_open(const char *path); /* appends; failure leaves it off */
void log_close(void);
void log_line(const char *area, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
