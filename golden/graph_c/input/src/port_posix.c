#include <unistd.h>

int port_sleep(int seconds) {
    return sleep(seconds);
}
