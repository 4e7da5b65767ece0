//! The tables of the contract: pairs of values and quotes, and worked requests.

mod measure;
mod pairs;
mod worked;
