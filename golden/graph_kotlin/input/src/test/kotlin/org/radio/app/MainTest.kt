package org.radio.app

import kotlin.test.Test
import org.radio.model.Host
import org.radio.model.Local

class MainTest {
    @Test
    fun reports() {
        val local = Local(90.0, Host("bo"))
        report(local)
        local.tune(91.0)
    }
}
