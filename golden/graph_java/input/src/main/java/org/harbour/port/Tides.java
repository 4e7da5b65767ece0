package org.harbour.port;

final class Tides {
    static int high(int hour) {
        return low() + hour;
    }

    static int low() {
        return 1;
    }
}

class Signals {
    static final String FLAG = "flag";

    static void raise(String flag) {}
}

record Pilot(String name, Tides tides) {
    void guide(org.harbour.ship.Vessel vessel) {
        Runnable task = new Runnable() {
            @Override
            public void run() {
                rest();
            }
        };
        task.run();
        vessel.name();
    }

    void rest() {
        this.name();
        tides.high(2);
    }
}
