package org.harbour.ship;

public interface Vessel {
    int LIMIT = 40;

    String name();

    default String title() {
        return name() + LIMIT;
    }
}
