package org.example.sky

import scala.collection.mutable
import scala.concurrent.{Future, Promise => Pledge, _}
import org.example.optics.Lens
import org.example.legacy._

/** Anything that can be pointed at the sky. */
trait Instrument extends AutoCloseable { self: Calibrated =>
  type Reading <: Sample
  val name: String
  def observe(target: Target)(implicit context: ExecutionContext): Future[Reading]
}

/** Where something stands. */
final case class Position(ascension: Double, declination: Double) {
  def -(other: Position): Distance = Distance.between(this, other)
}

object Position extends Ordering[Position] with Serializable {
  val Zenith = Position(0, 90)
  private val cache = mutable.Map.empty[String, Position]

  /** Reads a position as astronomers write it. */
  def parse(text: String): Option[Position] = {
    val parts = text.split(" ")
    parts.toList match {
      case head :: Nil => cache.get(head)
      case List(a, b) if a.nonEmpty => Some(Position(a.toDouble, b.toDouble))
      case Zenith | _ => None
    }
  }

  override def compare(one: Position, two: Position): Int = one.ascension compare two.ascension

  implicit class Nudge(val position: Position) extends AnyVal {
    def nudged = position.copy(ascension = position.ascension + 1)
  }
}

@deprecated("use an array", "2.0")
abstract class Telescope(lens: Lens, val site: Site, protected var open: Boolean = false)(implicit log: Log)
    extends Base[Target](site) with Instrument with optics.Mount {

  private[this] var nights, clouds = 0
  lazy val motor = new Motor(lens.weight)
  protected[sky] val (east, west) = site.bounds()

  def this(site: Site) = this(new Lens(1), site)(Log.default)

  def observe(target: Target)(implicit context: ExecutionContext): Future[Reading] = {
    val exposure = Exposure.of(target, seconds = 30)
    val plate: Plate = lens.focus(exposure)
    val tracker = new Tracker[Target](motor)
    tracker.follow(target) { step => motor.turn(step) }
    var nights = plate.count
    def retry(times: Int): Unit = if (times > 0) retry(times - 1)
    val shots = for {
      (frame, index) <- plate.frames.zipWithIndex
      sharp = sharpen(frame)
      if sharp.good
    } yield s"$index: ${sharp.title}"
    shots.foreach { case text: String => log.info(text) }
    val watcher = new Listener with Closing {
      override def ready(): Unit = retry(nights)
    }
    try watcher.start()
    catch { case error: CloudException => log.warn(error.getMessage) }
    motor.stop
    Future.successful(plate).map(_.reading)
  }
}
