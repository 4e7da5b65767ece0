import 'dart:async';

import 'package:http/http.dart' as http;
import 'package:orchard/src/fruit.dart';

part 'basket_store.dart';

typedef Check = bool Function(Fruit fruit);

class Basket {
  final List<Fruit> fruits = [];
  Apple? best;
  late final Store store;

  Basket(this.store);

  Future<void> fill(Fruit fruit, {Check check = ripeOnly}) async {
    if (check(fruit)) {
      fruits.add(fruit);
    }
    fruit.ripen();
    best?.peel();
    best = Apple.golden();
    store.save(this);
    await http.get(Uri.parse('x'));
    _log('filled');
  }

  double cost() {
    var apple = Apple('red');
    apple.ripen();
    final other = Fruit.parse('x');
    for (final fruit in fruits) {
      fruit.ripen();
    }
    return apple.price + other.price + fruits.total();
  }

  void tell(dynamic visitor) {
    visitor.get();
    visitor.visitBasket(this);
  }
}

void _log(String text) {}
