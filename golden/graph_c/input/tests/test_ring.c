#include "ring.h"

#include <assert.h>

static void reset(void) {}

int main(void) {
    ring_t *ring = ring_new();
    reset();
    assert(ring_push(ring, 3) == RING_OPEN);
    ring_free(ring);
    return 0;
}
