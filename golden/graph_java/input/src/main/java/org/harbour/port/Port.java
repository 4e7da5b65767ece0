package org.harbour.port;

import static org.harbour.port.Tides.high;
import static org.harbour.port.Signals.*;

import com.acme.Weather;
import java.util.Map;
import java.util.Optional;
import org.harbour.ship.*;

public class Port {
    private final Map<String, Vessel> vessels;
    private final Weather weather;
    private Pilot pilot;

    public Port(Map<String, Vessel> vessels, Weather weather) {
        this.vessels = vessels;
        this.weather = weather;
    }

    public Vessel dock(Ferry ferry, Object cargo) {
        ferry.load(3).load(4, "fish");
        ferry.title();
        cargo.close();
        weather.forecast();
        pilot.guide(ferry);
        raise(FLAG);
        Tides.low();
        return vessels.getOrDefault(ferry.name(), ferry);
    }

    Optional<Pilot> pilot() {
        return Optional.ofNullable(pilot);
    }

    int wait(int high) {
        var other = new Ferry(3);
        other.weight();
        Vessel vessel = other;
        vessel.name();
        pilot().get().rest();
        org.harbour.ship.Engine engine = null;
        return high(high);
    }
}
