use crate::{Shelf, Visit};

struct Counter {
    count: usize,
}

impl Visit for Counter {
    fn visit_goods(&mut self) {
        self.count += 1;
    }
}

struct Printer<W> {
    out: W,
}

impl<W: std::io::Write> Visit for Printer<W> {
    fn visit_goods(&mut self) {
        self.out.flush().ok();
    }
}

pub fn report(shelf: &Shelf) -> usize {
    let mut counter = Counter { count: 0 };
    counter.visit_goods();
    let mut printer = Printer { out: Vec::new() };
    printer.visit_goods();
    shelf.show();
    if let Some(item) = shelf.cheapest() {
        item.get();
    }
    counter.count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let shelf = Shelf::default();
        assert_eq!(report(&shelf), 1);
    }
}
