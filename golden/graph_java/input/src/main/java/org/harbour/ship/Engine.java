package org.harbour.ship;

public class Engine {
    public enum Fuel { DIESEL, STEAM }

    private final Fuel fuel;

    public Engine(Fuel fuel) {
        this.fuel = fuel;
    }

    void start() {
        if (fuel == Fuel.STEAM) {
            throw new IllegalStateException();
        }
    }

    int power() {
        return 10;
    }
}
