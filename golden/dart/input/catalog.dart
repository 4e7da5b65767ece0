/// Keeps the books of a library.
library shelf.catalog;

import 'dart:async';
import 'package:http/http.dart' as http show Client hide Response;
import 'src/loan.dart' show Loan, Due;
import 'src/heavy.dart' deferred as heavy;
export 'src/errors.dart' show CatalogError;
export 'src/search.dart';
part 'catalog_cache.dart';

/// How many books one reader may take.
const maxLoans = 5;
final Catalog defaultCatalog = Catalog.open('main');
late String _region;

typedef BookFilter = bool Function(Book book);

/// What can be lent.
abstract class Lendable<T> {
  String get title;
  Future<void> lend(Reader reader);
}

mixin Dated on Object {
  DateTime? due;
  bool get isLate => due!.isBefore(DateTime.now());
}

/// One copy of a book.
@immutable
class Book extends Item<Book> with Dated implements Lendable<Book>, http.Sendable {
  static const shelfMarks = ['A', 'B'], unknownMark = '?';
  final String title;
  late final List<Loan> loans;
  int _copies = 1;

  Book(this.title, {required this.loans, super.key, int copies = 1}) : _copies = copies, assert(copies > 0) {
    register(this);
  }
  Book.lost(String title) : this(title, loans: []);
  const Book._();
  factory Book.fromJson(Map<String, dynamic> json) => Book(json['title'], loans: Loan.parseAll(json));

  int get copies => _copies;
  set copies(int count) {
    _copies = count;
  }

  /// Hands the book out.
  @override
  Future<void> lend(Reader reader) async {
    final Loan loan = await reader.borrow(this);
    var session = Session(reader);
    session.record(loan, title);
    loans
      ..add(loan)
      ..sort((a, b) => a.compareTo(b));
    for (final other in loans) {
      if (other.reader?.isLate ?? false) continue;
      print('$title for ${other.reader.name}');
    }
    try {
      heavy.archive(loan);
    } on CatalogError catch (error, stack) {
      log(error, stack);
    }
  }

  Book operator +(Book other) => Book(title + other.title, loans: loans);
}

extension Shelving on List<Book> {
  Iterable<Book> where(BookFilter filter) {
    bool inner(Book book) => filter(book);
    return this.where(inner);
  }
}

extension type Mark(int value) {}

/// Where a copy is.
enum Place with Labelled {
  shelf('on the shelf'),
  lent('lent out');

  const Place(this.label);
  final String label;
}

class Catalog {
  Catalog.open(String path) : client = http.Client() {
    _load(path);
  }
  final http.Client client;

  static Future<Catalog> restore<S extends Source>(S source) async {
    final title = source.title();
    var catalog = new Catalog.open(title);
    catalog.client.send(source);
    return catalog;
  }

  external void _load(String path);
}

int countLate(List<Book> books) => books.where((book) => book.isLate).length;

String get region => _region;
