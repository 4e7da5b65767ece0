#ifndef RING_H
#define RING_H

#include <stddef.h>

/* How many readings a ring keeps at most. */
#define RING_MAX 256
#define RING_NEXT(at) (((at) + 1) % RING_MAX)

/** One value of one sensor. */
typedef struct reading {
    unsigned int sensor;
    double value;
    struct reading *previous;
} reading_t;

/** Told of every reading; returns nonzero to stop. */
typedef int (*ring_visitor)(const reading_t *reading, void *context);

typedef struct ring ring_t;

enum ring_state {
    RING_EMPTY,
    /* More than half. */
    RING_BUSY = 10,
    RING_FULL
};

extern int ring_verbose;

ring_t *ring_open(const char *path, size_t length);
int ring_each(ring_t *ring, ring_visitor visitor, void *context);
void ring_close(ring_t *ring);

#endif
