// A ring of sensor readings that forgets the oldest first.
#include "ring.h"
#include <stdlib.h>
#include "log/log.h"

#define LOG_RING(text) log_line("ring", text)

struct ring {
    reading_t slots[RING_MAX];
    size_t head, tail;
    union {
        char *path;
        int descriptor;
    } source;
    int (*on_drop)(reading_t *dropped, size_t left);
    unsigned full : 1;
};

union word {
    float number;
    unsigned char bytes[4];
};

typedef unsigned long ring_stamp;
typedef enum { ORDER_LITTLE, ORDER_BIG } byte_order;
typedef struct {
    ring_t *ring;
    byte_order order;
} cursor, *cursor_ptr;

int ring_verbose = 0;
static const char *const STATES[] = { "empty", "busy", "full" };
static struct ring spare;
static double (*smoother)(double, double);

static int is_full(const ring_t *ring);

/* The slot behind the last one. */
static reading_t *slot(ring_t *ring, size_t at)
{
    return &ring->slots[at % RING_MAX];
}

ring_t *ring_open(const char *path, size_t length)
{
    ring_t *ring = calloc(1, sizeof(ring_t));
    FILE *file = open_log(path);
    reading_t **rows, first = { .sensor = 1 };
    if (ring == NULL || length > RING_MAX) {
        log_error(path, strerror(errno));
        return NULL;
    }
    for (size_t row = 0; row < length; row++) {
        reading_t *reading = slot(ring, row);
        reading->value = parse_value(read_line(file));
        ring->head = RING_NEXT(ring->head);
    }
    ring->source.path = copy_text(path);
    LOG_RING("open");
    return ring;
}

int ring_each(ring_t *ring, ring_visitor visitor, void *context)
{
    int spare = 0;
    size_t at;
    for (at = ring->tail; at != ring->head; at = RING_NEXT(at)) {
        const reading_t *reading = slot(ring, at);
        if (visitor(reading, context) != 0 || ring->on_drop(slot(ring, at), at))
            goto done;
        spare += (int)smoother(reading->value, STATES[0][0]);
    }
done:
    return spare ? RING_BUSY : RING_EMPTY;
}

static int is_full(const ring_t *ring)
{
    enum ring_state state = ring->full ? RING_FULL : RING_EMPTY;
    struct ring *other = &spare;
    return compare(ring, other, state);
}

void ring_close(ring_t *ring)
{
    free(ring);
}
