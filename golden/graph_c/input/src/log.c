#include "log.h"

#include <stdarg.h>
#include <stdio.h>

struct logger {
    FILE *out;
    int depth;
};

static struct logger main_log;

static void reset(void) {
    main_log.depth = 0;
}

void log_open(struct logger *logger) {
    reset();
    logger->out = stderr;
}

void log_line(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    vfprintf(main_log.out, format, rest);
    va_end(rest);
}
