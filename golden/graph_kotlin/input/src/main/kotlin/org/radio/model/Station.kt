package org.radio.model

interface Tunable {
    val frequency: Double

    fun tune(to: Double): Boolean
}

abstract class Station(override val frequency: Double) : Tunable {
    open fun announce(): String = "station ${label()}"

    protected abstract fun label(): String
}

class Local(frequency: Double, private val host: Host) : Station(frequency) {
    var listeners: List<Listener> = emptyList()

    override fun tune(to: Double): Boolean {
        for (listener in listeners) {
            listener.notify(to)
        }
        return host.speak(announce())
    }

    override fun announce(): String = super.announce() + host.name

    override fun label() = "local"

    companion object {
        const val BAND = 87.5

        fun of(host: Host): Local = Local(BAND, host)
    }
}

data class Host(val name: String) {
    fun speak(text: String) = text.isNotEmpty()
}

class Listener {
    fun notify(at: Double) {}
}

object Registry {
    private val stations = mutableMapOf<String, Station>()

    fun add(station: Station) {
        stations[station.announce()] = station
    }
}

fun Station.describe(): String = announce()
