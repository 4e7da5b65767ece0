//! Collects what is wrong.

use crate::record::workspace::{ContextPayload, PayloadError, PayloadErrorCode, PayloadValidation};

#[derive(Default)]
pub struct Findings {
    errors: Vec<PayloadError>,
}

impl Findings {
    pub fn add(&mut self, code: PayloadErrorCode, path: impl Into<String>, message: impl Into<String>) {
        self.errors.push(PayloadError { code, message: message.into(), path: path.into() });
    }

    /// Adds an error if the payload says another number than there is.
    pub fn compare(&mut self, code: PayloadErrorCode, path: impl Into<String>, said: u32, actual: u32) {
        if said != actual {
            self.add(code, path, format!("it is {actual}, not {said}"));
        }
    }

    pub fn into_validation(mut self, payload: &ContextPayload) -> PayloadValidation {
        self.errors.sort();
        let valid = self.errors.is_empty();
        PayloadValidation { errors: self.errors, valid, warnings: payload.metadata.warnings.clone() }
    }
}

pub fn section_path(section: usize) -> String {
    format!("sections[{section}]")
}

pub fn item_path(section: usize, item: usize) -> String {
    format!("sections[{section}].items[{item}]")
}
