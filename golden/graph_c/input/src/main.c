#include <ring.h>

#include "log.h"

int port_sleep(int seconds);

static int print_one(int value, void *user) {
    ring_t *ring = user;
    log_line("%d", value);
    return ring->next->head == 0;
}

int main(void) {
    int log_open = 1;
    ring_t *ring = ring_new();
    struct ring_stats *stats = &ring->stats;
    ring_push(ring, log_open);
    ring_each(ring, print_one, ring);
    ring_declared_only(ring);
    port_sleep(1);
    ring_free(ring);
    return stats->dropped + unknown_call();
}
