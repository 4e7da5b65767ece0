import 'package:orchard/orchard.dart' as orchard;
import 'package:test/test.dart';

import '../lib/src/basket.dart' show Basket, Auditor;

void main() {
  test('fills', () async {
    final basket = Basket(Auditor());
    await basket.fill(orchard.Apple('x'));
    expect(basket.cost(), 1);
    expect(orchard.ripeOnly(orchard.Apple('y')), true);
  });
}
