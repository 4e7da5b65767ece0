@file:JvmName("Kitchen")

package com.example.kitchen

import com.example.menu.Dish
import com.example.menu.Order as Ticket
import com.example.stock.*
import kotlin.properties.Delegates.observable

/** How many tickets wait at most. */
const val MAX_WAITING = 40
private val clock = SystemClock()
val <T> List<T>.middle: T get() = this[size / 2]
typealias Handler<T> = (Ticket, T) -> Unit

/** What can be cooked on. */
interface Station : Closeable {
    val name: String
    fun prepare(ticket: Ticket): Plate?
    fun interface Listener {
        fun ready(plate: Plate)
    }
}

enum class Heat(val degrees: Int) : Labelled {
    /** Barely warm. */
    LOW(90),
    HIGH(220) {
        override fun label() = "hot"
    };

    open fun label(): String = name.lowercase()
}

/** A dish on its way out. */
data class Plate<T : Dish>(val dish: T, private var heat: Heat = Heat.LOW, seconds: Int) : Item<T>(dish), Comparable<Plate<T>> {
    val started = clock.now(seconds)

    constructor(dish: T) : this(dish, Heat.HIGH, 60) {
        audit(dish)
    }

    override fun compareTo(other: Plate<T>): Int = started compareTo other.started
}

object Registry : Store<Station>(), Station.Listener by Quiet {
    private val stations = mutableListOf<Station>()
    lateinit var chief: Cook
    var open: Boolean = false
        private set(value) {
            log(value)
            field = value
        }

    fun register(station: Station): Registry {
        stations.add(station)
        return this
    }
}

/** Cooks what is ordered. */
@Singleton
class Grill(private val stock: Stock, listener: Station.Listener?) : Station {
    override val name by lazy { describe("grill") }

    init {
        val hook = listener ?: Registry
        Registry.register(this).attach(hook)
    }

    @Throws(StockException::class)
    override fun prepare(ticket: Ticket): Plate<Dish>? {
        val dish: Dish = ticket.dish ?: return null
        val plate = Plate(dish)
        val (meat, spice) = stock.take(dish, amount = ticket.count)
        plate.add(meat)
        season(plate, spice) { part -> part.salt() }
        for ((index, guest) in ticket.guests.withIndex()) {
            guest.notify(plate, index)
        }
        when (val state = check(plate)) {
            is Burnt -> throw KitchenException(state.reason)
            Heat.HIGH -> cool(plate)
            else -> stock.log.write("fine: ${plate.heat}")
        }
        fun retry(plate: Int) = plate.inc()
        val parts = ticket.items.map { item, (size, sauce) -> Part(item, size) }.filter(::edible).sortedBy(Part::weight)
        val timer = object : Timer(5), Runnable {
            override fun run() = retry(parts.size)
        }
        return try {
            timer.start()
            plate
        } catch (error: TimeoutException) {
            error.report(to = clock)
            null
        }
    }

    private suspend fun <R> season(plate: Plate<*>, vararg spices: Spice, block: suspend (Part) -> R): R? = null

    companion object {
        const val SLOTS = 4
        fun create(stock: Stock) = Grill(stock, listener = null)
    }
}

fun Ticket.isLarge(limit: Int = MAX_WAITING): Boolean = this.items.size > limit
internal fun <T : Dish> List<Plate<T>>.hottest(): Plate<T>? = maxByOrNull { it.heat }
fun main() {
    val grill = Grill.create(Stock("cellar"))
    grill.prepare(Ticket(1))?.let { plate -> println(plate) }
}
