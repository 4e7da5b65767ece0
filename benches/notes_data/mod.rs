//! Generated notes: Tana exports and vaults of any size. The same size gives the same bytes; nothing is kept.

mod random;
mod tana;
mod vault;
mod words;

pub use tana::export;
pub use vault::plant_vault;

use random::Random;
use words::Words;
