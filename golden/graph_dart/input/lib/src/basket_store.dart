part of 'basket.dart';

class Store {
  void save(Basket basket) {
    basket.cost();
    _log('saved');
  }

  void visitBasket(Basket basket) {}
}

class Auditor implements Store {
  @override
  void save(Basket basket) {}

  @override
  void visitBasket(Basket basket) {}
}
