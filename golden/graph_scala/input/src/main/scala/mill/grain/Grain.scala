package mill.grain

trait Weighed {
  def weight: Int

  def heavier(other: Weighed): Boolean = weight > other.weight
}

trait Ground { self: Weighed =>
  def grind(): String = "flour of " + weight
}

abstract class Grain(val origin: Field) extends Weighed {
  def weight: Int = origin.size

  def show(): String = "grain"
}

class Wheat(origin: Field) extends Grain(origin) with Ground {
  override def show(): String = super.show() + grind() + Wheat.Name

  def mix(others: List[Wheat]): Int = {
    val first = new Wheat(origin)
    first.show()
    others.map(_.weight).sum
  }
}

object Wheat {
  val Name = "wheat"

  def apply(size: Int): Wheat = new Wheat(Field(size))
}

case class Field(size: Int) {
  def larger(by: Int): Field = copy(size = size + by)
}
