//! The names of kinds that chunk uids are made from. They are written into every index, so they stay the same when a
//! variant of [`Kind`] is renamed.

use crate::record::Kind;

pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Class => "Class",
        Kind::Interface => "Interface",
        Kind::Trait => "Trait",
        Kind::Struct => "Struct",
        Kind::Enum => "Enum",
        Kind::Union => "Union",
        Kind::Object => "Object",
        Kind::Extension => "Extension",
        Kind::Impl => "Impl",
        Kind::Namespace => "Namespace",
        Kind::Function => "Function",
        Kind::Method => "Method",
        Kind::Constructor => "Constructor",
        Kind::Macro => "Macro",
        Kind::Property => "Property",
        Kind::Field => "Field",
        Kind::Variable => "Variable",
        Kind::Constant => "Constant",
        Kind::EnumMember => "EnumMember",
        Kind::Type => "Type",
        Kind::Section => "Section",
        Kind::Key => "Key",
        Kind::Table => "Table",
        Kind::Block => "Block",
        Kind::Rule => "Rule",
        Kind::Element => "Element",
        Kind::Message => "Message",
        Kind::Service => "Service",
        Kind::Module => "Module",
        Kind::Text => "Text",
        Kind::Spec => "Spec",
        Kind::Item => "Item",
        Kind::Tag => "Tag",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renaming any of these changes the uids of all chunks of that kind.
    const NAMES: &str = "Class Interface Trait Struct Enum Union Object Extension Impl Namespace Function Method \
        Constructor Macro Property Field Variable Constant EnumMember Type Section Key Table Block Rule Element Message \
        Service Module Text Spec Item Tag";

    #[test]
    fn names_of_kinds_never_change() {
        for name in NAMES.split(' ') {
            let word = name[..1].to_lowercase() + &name[1..];
            assert_eq!(Kind::parse(&word).map(kind_name), Some(name));
        }
    }
}
