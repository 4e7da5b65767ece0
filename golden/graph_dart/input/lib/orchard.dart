export 'src/fruit.dart' show Fruit, Apple, ripeOnly;
export 'src/basket.dart';
