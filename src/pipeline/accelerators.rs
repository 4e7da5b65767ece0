//! How each stage's accelerators are made again, for `verify`. The store knows no form but its own and
//! the pure modules open no files, so here is where the two meet.

use std::path::Path;

use crate::store::{self, AcceleratorCheck, Fault, Report};

/// Every accelerator that this build knows.
const CHECKS: &[AcceleratorCheck] = &[];

/// [`store::verify`] for what this build's stages write.
pub fn verify(folder: &Path, deep: bool) -> Result<Report, Fault> {
    store::verify(folder, deep, CHECKS)
}
