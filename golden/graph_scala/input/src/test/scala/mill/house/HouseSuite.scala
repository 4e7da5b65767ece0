package mill.house

import mill.grain.Wheat
import org.scalatest.funsuite.AnyFunSuite

class HouseSuite extends AnyFunSuite {
  test("works") {
    val house = new House(Wheat(1), None)
    house.work("x")
    assert(Wheat(2).weight == 2)
  }
}
