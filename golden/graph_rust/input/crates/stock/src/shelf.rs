use crate::Priced;
use crate::money::{self, Amount};

mod label;

pub use self::label::Label as Tag;

#[derive(Debug)]
pub enum Kind {
    Fresh,
    Tinned { year: u16 },
}

#[derive(Debug)]
pub struct Item {
    pub kind: Kind,
    price: Amount,
    tag: Option<label::Label>,
}

#[derive(Debug, Default)]
pub struct Shelf {
    items: Vec<Item>,
    best: Option<Box<Item>>,
}

impl Item {
    pub fn new(kind: Kind, price: Amount) -> Self {
        let tag = label::Label::of(&kind);
        Item { kind, price, tag: Some(tag) }
    }
}

impl Priced for Item {
    fn price(&self) -> Amount {
        self.price.clone()
    }
}

impl Priced for Shelf {
    fn price(&self) -> Amount {
        let mut sum = crate::FREE;
        for item in &self.items {
            sum = sum.add(&item.price());
        }
        sum
    }

    fn doubled(&self) -> Amount {
        let once = self.price();
        once.add(&once)
    }
}

impl Shelf {
    pub fn put(&mut self, item: Item) -> &mut Self {
        match item.kind {
            Kind::Fresh => self.sort_by_age(),
            Kind::Tinned { year } => self.stack(year),
        }
        self.items.push(item);
        self
    }

    fn stack(&mut self, year: u16) {
        let stack = year;
        drop(stack);
    }

    pub fn cheapest(&self) -> Option<&Item> {
        self.items.first()
    }

    pub fn show(&self) -> String {
        money::euros(&self.price()).to_string()
    }
}

pub fn total(goods: &[Box<dyn Priced>], extra: &dyn Priced, visitor: &mut impl Visit) -> Amount {
    visitor.visit_goods();
    extra.doubled();
    goods[0].price()
}

pub trait Visit {
    fn visit_goods(&mut self);
}
