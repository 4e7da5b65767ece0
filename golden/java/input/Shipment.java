package org.example.depot.shipping;

import java.util.ArrayList;
import java.util.List;
import java.util.function.*;
import static java.util.Objects.requireNonNull;
import static org.example.depot.Units.*;
import org.example.depot.stock.Shelf;

/** A box that leaves the depot, and what happens on its way. */
@Entity(table = "shipment")
public abstract class Shipment<T extends Comparable<T>> extends Movable implements Tracked<T>, AutoCloseable {
    /** Grams that a courier lifts. */
    public static final int MAX_GRAMS = 25_000;
    private static final Logger LOG = Logger.forName("shipping");

    protected final List<T> stops = new ArrayList<>();
    private Courier courier, backup;
    int attempts;

    // Set by the first scan.
    private String label;

    public Shipment(Courier courier, String label) {
        super(label);
        this.courier = requireNonNull(courier);
        this.label = label;
    }

    /**
     * Hands the box over.
     *
     * @return the receipt, or null when nobody was there
     */
    @Override
    public Receipt deliver(Address address, Clock clock) throws LostException {
        Route route = planner().plan(address);
        var ledger = new Ledger(clock);
        for (Stop stop : route.stops()) {
            ledger.record(stop, weight(address));
        }
        if (address instanceof Postbox box && box.isOpen()) {
            box.drop(this);
        }
        try (Scanner scanner = courier.scanner()) {
            Receipt receipt = scanner.scan(label);
            LOG.info(receipt.text());
            return archive(receipt, ledger);
        } catch (BrokenScanner | LostException broken) {
            attempts++;
            throw new LostException(broken, Shelf.Level.LOWEST);
        }
    }

    protected abstract Planner planner();

    private <R extends Result> R weight(Address... targets) {
        int attempts = targets.length;
        Function<Address, R> weigh = target -> Scales.weigh(target, attempts);
        BiFunction<Integer, Integer, Integer> sum = (left, right) -> add(left, right);
        stops.forEach(this::visit);
        Runnable alarm = new Runnable() {
            @Override
            public void run() {
                courier.call(label);
            }
        };
        alarm.run();
        return weigh.andThen(Result::checked).apply(targets[0]);
    }

    static Receipt archive(Receipt receipt, Ledger ledger) {
        Receipt copy = receipt;
        ledger.close(copy);
        return switch (copy.state()) {
            case Lost(Address last, var since) -> Receipt.lost(last, since);
            case Found found when found.fresh() -> found.receipt();
            default -> copy;
        };
    }

    /** How far it is. */
    public enum State implements Labelled {
        PACKED("p"),
        /** Signed for. */
        DONE("d") {
            @Override
            boolean isFinal() { return true; }
        };

        private final String code;

        State(String code) { this.code = code; }

        boolean isFinal() { return false; }
    }

    public record Stop(Address address, int minutes) implements Comparable<Stop> {
        public Stop {
            if (minutes < 0) throw new IllegalArgumentException("minutes");
        }

        public int compareTo(Stop other) { return Integer.compare(minutes, other.minutes); }
    }

    interface Tracked<T> extends Labelled, Iterable<T> {
        int LIMIT = 5;

        T last();

        default boolean isTracked() { return last() != null; }
    }

    @interface Audited {
        String by() default "depot";
    }
}
