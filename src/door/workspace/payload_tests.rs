//! Payloads from hand-made candidates: exact budgets, text that no content can corrupt, and checks that find what is
//! planted.

mod budgets;
mod coverage;
mod cuts;
mod history;
mod hostile;
mod reader;
mod speed;
mod synthetic;
mod validation;

use super::*;
