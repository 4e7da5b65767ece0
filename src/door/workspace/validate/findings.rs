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

    /// Adds an error if the payload has another number than expected.
    pub fn compare(&mut self, code: PayloadErrorCode, path: impl Into<String>, given: u32, expected: u32) {
        if given != expected {
            self.add(code, path, format!("it is {given} and should be {expected}"));
        }
    }

    pub fn into_validation(mut self, payload: &ContextPayload) -> PayloadValidation {
        self.errors.sort_by(|a, b| (a.code, &a.path, &a.message).cmp(&(b.code, &b.path, &b.message)));
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
