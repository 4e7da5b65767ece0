package org.harbour.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.harbour.ship.Ferry;
import org.junit.jupiter.api.Test;

class PortTest {
    private final Port port = new Port(null, null);

    @Test
    void docks() {
        Ferry ferry = new Ferry(2);
        assertEquals(ferry, port.dock(ferry, null));
    }
}
