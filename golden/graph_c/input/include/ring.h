#ifndef RING_H
#define RING_H

#include <stddef.h>

#define RING_MAX 64
#define RING_NEXT(ring) (((ring)->head + 1) % RING_MAX)

typedef int (*ring_visit_fn)(int value, void *user);

struct ring_stats {
    size_t pushed;
    size_t dropped;
};

typedef struct ring {
    int items[RING_MAX];
    size_t head;
    struct ring_stats stats;
    struct ring *next;
} ring_t;

enum ring_state { RING_OPEN, RING_SHUT };

extern int ring_debug;

ring_t *ring_new(void);
void ring_free(ring_t *ring);
int ring_push(ring_t *ring, int value);
int ring_each(ring_t *ring, ring_visit_fn visit, void *user);
int ring_declared_only(ring_t *ring);

static inline size_t ring_head(const ring_t *ring) { return ring->head; }

#endif
