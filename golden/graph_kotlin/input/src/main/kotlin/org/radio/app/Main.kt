package org.radio.app

import org.radio.model.*
import org.radio.model.Host as Speaker
import org.radio.model.describe
import kotlinx.coroutines.delay

class Console(private val station: Station?) {
    private val speaker = Speaker("ada")

    suspend fun run(other: Tunable, unknown: Any) {
        station?.announce()
        station?.describe()
        val local = Local.of(speaker)
        local.tune(Local.BAND)
        local.listeners.first()
        other.tune(1.0)
        Registry.add(local)
        unknown.notify(1.0)
        delay(10)
        val report = speaker.name
        println(report)
    }
}

fun report(local: Local) = local.announce()

fun console() = Console(null).also { report(Local.of(Host("bo"))) }
