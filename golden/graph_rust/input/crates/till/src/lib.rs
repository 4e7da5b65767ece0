use anyhow::{Context, Result};
use stock_core::{Item, Kind as ItemKind, Priced, Shelf, Tag, parse_amount};

pub struct Till {
    shelf: Shelf,
    last: Option<Tag>,
}

impl Till {
    pub fn open() -> Result<Till> {
        let text = std::fs::read_to_string("till.txt").context("no till")?;
        let mut till = Till { shelf: Shelf::default(), last: None };
        till.sell(&text);
        Ok(till)
    }

    pub fn sell(&mut self, text: &str) -> i64 {
        let amount = parse_amount(text).unwrap();
        let item = Item::new(ItemKind::Fresh, amount);
        let price = item.price();
        self.shelf.put(item).show();
        self.last = Some(Tag::of(&ItemKind::Fresh));
        price.cents
    }

    /// A local of the name of a function of another crate.
    pub fn total(&self) -> i64 {
        let total = self.shelf.price();
        stock_core::report::report(&self.shelf);
        total.add(&stock_core::FREE).cents
    }
}
