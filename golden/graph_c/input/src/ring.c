#include "ring.h"

#include <stdlib.h>

#include "log.h"

int ring_debug = 0;

static void reset(ring_t *ring) {
    ring->head = 0;
    ring->stats.pushed = 0;
}

ring_t *ring_new(void) {
    ring_t *ring = malloc(sizeof(ring_t));
    reset(ring);
    return ring;
}

void ring_free(ring_t *ring) {
    free(ring);
}

int ring_push(ring_t *ring, int value) {
    size_t next = RING_NEXT(ring);
    if (ring_debug)
        log_line("push %d", value);
    ring->items[next] = value;
    ring->stats.pushed++;
    return RING_OPEN;
}

int ring_each(ring_t *ring, ring_visit_fn visit, void *user) {
    for (size_t at = 0; at < ring_head(ring); at++)
        if (visit(ring->items[at], user))
            return RING_SHUT;
    return RING_OPEN;
}
