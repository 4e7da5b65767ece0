use std::str::FromStr;

#[derive(Clone, Debug)]
pub struct Amount {
    pub cents: i64,
}

impl Amount {
    pub fn new(cents: i64) -> Self {
        Self { cents }
    }

    pub fn add(&self, other: &Amount) -> Amount {
        Self::new(self.cents + other.cents)
    }
}

impl FromStr for Amount {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Amount::new(text.parse()?))
    }
}

pub fn parse(text: &str) -> Option<Amount> {
    fn clean(text: &str) -> &str {
        text.trim()
    }
    clean(text).parse().ok()
}

mod rounding {
    use super::Amount;

    pub(super) fn round(amount: &Amount) -> i64 {
        amount.cents / super::SCALE
    }
}

const SCALE: i64 = 100;

pub fn euros(amount: &Amount) -> i64 {
    self::rounding::round(amount)
}
