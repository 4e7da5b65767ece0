package org.harbour.ship;

import java.util.ArrayList;
import java.util.List;

public class Ferry extends Hull implements Vessel {
    private final List<Cabin> cabins = new ArrayList<>();
    private Engine engine = new Engine(Engine.Fuel.DIESEL);
    static int built = 0;

    public Ferry(int length) {
        super(length);
        built++;
    }

    @Override
    public String name() {
        return "ferry";
    }

    @Override
    public int weight() {
        return super.weight() + cabins.size() + this.engine.power();
    }

    public Ferry load(int count) {
        return load(count, "goods");
    }

    public Ferry load(int count, String kind) {
        engine.start();
        for (Cabin cabin : cabins) {
            cabin.close();
        }
        cabins.forEach(cabin -> cabin.close());
        int weight = count;
        return weight > length ? this : null;
    }

    static final class Cabin {
        private boolean open;

        void close() {
            open = false;
        }
    }
}

abstract class Hull {
    protected final int length;

    Hull(int length) {
        this.length = length;
    }

    public int weight() {
        return length * Vessel.LIMIT;
    }
}
