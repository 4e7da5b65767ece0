package org.example
package sky

import org.example.optics.{Mirror as Glass, given, *}
import org.example.units.given
import java.time.Instant as Moment, java.util.UUID
export Catalog.{find, add as insert}

opaque type StarId = Long
val defaultCatalog: Catalog = Catalog("messier")

/** How bright a star is. */
enum Brightness(val magnitude: Double) extends Labelled:
  case Bright extends Brightness(1.0)
  case Faint, Dark
  case Measured(value: Double)

  def label: String = this.toString

/** Stars by name. */
class Catalog(source: Source) derives Show:
  private val stars = mutable.ListBuffer[Star]()

  def find(name: String)(using clock: Clock): Option[Star] =
    val moment: Moment = clock.now()
    val star = source.load(name, moment)
    star.map(found => found.at(moment)).filter(_.visible)
  end find

object Catalog:
  def apply(name: String) = new Catalog(Source.open(name))

given byName: Ordering[Star] with
  def compare(one: Star, two: Star): Int = one.name compareTo two.name

given Show[Star] = Show.by(_.name)

extension (star: Star)
  def twin: Option[Star] = defaultCatalog.find(star.name)
  private def label(prefix: String): String = prefix + star.name

extension [T](items: List[T]) def brightest(by: T => Double): T = items.maxBy(by)

def report(stars: List[Star])(using Clock): Unit =
  stars.foreach: star =>
    val line = describe(star)
    println(line)

final class Chain[A](items: List[A]) {
  def :+(item: A): Chain[A] = new Chain(items :+ item)
  def +:(item: A): Chain[A] = new Chain(item +: items)
  def <|>(other: Chain[A]): Chain[A] = if (items.isEmpty) other else this
}
