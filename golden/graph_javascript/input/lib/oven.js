class Appliance {
  constructor(watts) {
    this.watts = watts
  }

  plug() {
    return this.watts
  }
}

class Oven extends Appliance {
  static standard = new Oven(180)

  constructor(degrees) {
    super(2000)
    this.degrees = degrees
    this.timer = new Timer()
  }

  heat() {
    this.plug()
    super.plug()
    this.timer.startCountdown()
  }

  bake(food) {
    food.render()
    food.prepareTray()
    this.heat()
    return Oven.standard.degrees
  }
}

function Timer() {
  this.left = 0
}

Timer.prototype.startCountdown = function () {
  this.left = 10
}

module.exports = Oven
