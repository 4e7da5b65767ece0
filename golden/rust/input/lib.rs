//! Parcels on their way: weighing, pricing and handing over.

mod route;
pub mod tariff;

extern crate alloc as heap;

use std::collections::{BTreeMap, HashMap as Map, hash_map::{self, Entry}};
use std::fmt;
use std::io::{self, Read as _, prelude::*};

use crate::route::{Leg, planner::{Planner, shortest as shortest_route}};
pub use crate::tariff::{Price, Zone};
pub use tariff::rounding::*;
use super::clock;

/// The heaviest parcel that a van takes, in grams.
pub const MAX_GRAMS: u32 = 31_500;
const GRAMS_PER_KILO: u32 = 1_000;
static mut HANDED_OVER: u64 = 0;

pub type Result<T> = std::result::Result<T, Refusal>;

/// Why a parcel stays where it is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub enum Refusal {
    TooHeavy(u32),
    /// The zone has no tariff.
    NoTariff { zone: Zone, since: u64 },
    Closed,
}

/// One parcel.
#[derive(Serialize)]
pub struct Parcel<'a, T: Label = Plain> {
    pub id: u64,
    grams: u32,
    label: &'a T,
}

struct Meters(f64);
struct Plain;

union Bits {
    whole: u32,
    halves: [u16; 2],
}

/// What can be printed on a parcel.
pub trait Label: fmt::Display + Send {
    type Font;
    const WIDTH: usize;
    fn text(&self) -> String;
    fn is_blank(&self) -> bool {
        self.text().trim().is_empty()
    }
}

impl Label for Plain {
    type Font = ();
    const WIDTH: usize = 12;
    fn text(&self) -> String {
        String::new()
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("-")
    }
}

impl<'a, T: Label> Parcel<'a, T> {
    pub fn new(id: u64, grams: u32, label: &'a T) -> Self {
        Parcel { id, grams, label }
    }

    /// The price of the whole way, leg by leg.
    pub fn price(&self, planner: &Planner, zone: Zone) -> Result<Price> {
        let weight = self.kilos();
        if self.grams > MAX_GRAMS {
            return Err(Refusal::TooHeavy(self.grams));
        }
        let legs = planner.legs(zone)?;
        let mut total = Price::zero();
        for leg in legs.iter().filter(|leg| !leg.is_free()) {
            total = total.plus(rate(leg, weight));
        }
        let zone = zone.outer();
        match tariff::lookup(&zone) {
            Some(Price { cents, .. }) if cents > 0 => Ok(total),
            None | Some(_) => Err(Refusal::NoTariff { zone, since: clock::now() }),
        }
    }

    fn kilos(&self) -> u32 {
        self.grams / GRAMS_PER_KILO
    }
}

fn rate(leg: &Leg, kilos: u32) -> Price {
    let table: Map<u32, Price> = load_table(leg.zone);
    let bounds = Bounds { low: 1, high: kilos };
    let clamp = |value: u32| bounds.clamp(value);
    let step = clamp(kilos);
    let price = table.get(&step);
    Price::from(price.copied().unwrap_or_default())
}

/// Sends every parcel of a batch and counts them.
pub(crate) async fn send_all<I, P>(parcels: I, carrier: &mut dyn Carrier) -> io::Result<usize>
where
    I: IntoIterator<Item = P>,
    P: Into<Parcel<'static>>,
{
    fn log(id: u64) {
        println!("sent {}", id);
    }
    let mut sent = 0;
    for parcel in parcels {
        let parcel = parcel.into();
        let receipt = carrier.hand_over(parcel).await?;
        archive(receipt, Vec::<u8>::with_capacity(64));
        trace!(target: "parcels", receipt.id, describe(&receipt), self::clock::now());
        log(receipt.id);
        sent += 1;
    }
    unsafe { HANDED_OVER += sent as u64 };
    Ok(sent)
}

/// Builds a parcel from its parts.
#[macro_export]
macro_rules! parcel {
    ($id:expr, $grams:expr) => {
        $crate::Parcel::new($id, $grams, &default_label())
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_parcels_stay() {
        let parcel = Parcel::new(1, MAX_GRAMS + 1, &Plain);
        assert!(parcel.price(&Planner::empty(), Zone::Inner).is_err());
    }
}
