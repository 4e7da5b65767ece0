#ifndef LOG_H
#define LOG_H

struct logger;

void log_line(const char *format, ...);
void log_open(struct logger *logger);

#endif
