import 'dart:math' as math;

abstract class Fruit {
  final String name;
  int weight;

  Fruit(this.name, {this.weight = 1});
  Fruit.small(String name) : this(name, weight: 1);
  factory Fruit.parse(String text) => Apple(text);

  double get price => weight * _rate();
  void ripen() {
    weight = math.max(weight, 2);
  }

  double _rate() => 0.5;
}

mixin Peelable on Fruit {
  void peel() => ripen();
}

class Apple extends Fruit with Peelable {
  Apple(String name) : super(name);

  @override
  void ripen() {
    super.ripen();
    _log(name);
  }

  static Apple golden() => Apple('golden');
}

extension FruitList on List<Fruit> {
  double total() => fold(0, (sum, fruit) => sum + fruit.price);
}

bool ripeOnly(Fruit fruit) => fruit.weight > 1;

void _log(String text) => print(text);
