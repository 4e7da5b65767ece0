package mill.house

import mill.grain.{Field, Wheat => Corn}
import mill.grain._
import scala.concurrent.Future

class House(stock: Grain, helper: Option[Helper]) {
  private val corn = Corn(3)

  def work(unknown: AnyRef): Future[String] = {
    stock.show()
    corn.grind()
    val field = Field(2).larger(4)
    field.larger(1)
    for (one <- House.open(stock)) one.weight
    unknown.toString
    Future.successful(House.Motto)
  }
}

object House {
  val Motto = "grind"

  def open(stock: Grain): List[Grain] = List(stock)
}

class Helper {
  def grind(grain: Grain): String = grain.show()
}
