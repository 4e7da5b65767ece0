#include <windows.h>

int port_sleep(int seconds) {
    Sleep(seconds * 1000);
    return 0;
}
