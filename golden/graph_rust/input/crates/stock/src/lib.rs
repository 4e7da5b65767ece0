//! What is on the shelves.

mod money;
pub mod shelf;
pub mod report;

pub use money::{Amount, parse as parse_amount};
pub use shelf::*;

use std::fmt::Debug;

/// Everything that has a price.
pub trait Priced: Debug {
    fn price(&self) -> Amount;

    fn doubled(&self) -> Amount {
        self.price().add(&self.price())
    }
}

pub const FREE: Amount = Amount { cents: 0 };

macro_rules! cents {
    ($value:expr) => {
        Amount::new($value)
    };
}

pub fn smallest() -> Amount {
    cents!(1)
}
