use super::Kind;

#[derive(Debug)]
pub struct Label {
    text: String,
}

impl Label {
    pub fn of(kind: &Kind) -> Label {
        let text = match kind {
            Kind::Fresh => super::super::smallest().cents.to_string(),
            Kind::Tinned { year } => year.to_string(),
        };
        Label { text }
    }
}

/// A second impl of a type of the module above.
impl super::Shelf {
    pub(super) fn sort_by_age(&mut self) {
        self.show();
    }
}
