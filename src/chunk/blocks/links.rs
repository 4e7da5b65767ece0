//! What blocks name, as references and as fields of items.

use crate::dialect::export::Trouble;
use crate::dialect::workspace::{Block, BlockLink, LinkTarget, Wikilinks, wikilinks};
use crate::record::{BlockType, LinkKind, Reference, Role, Site};

/// What a block names: what its file says, and what stands in its text.
pub fn links_of(block: &Block, text: &str) -> Wikilinks {
    let in_text = if block.block_type == BlockType::Code { Wikilinks::default() } else { wikilinks(text) };
    // A text that is made from a block has no place of its own in the file.
    let said = |trouble: Trouble| Trouble {
        span: Some(block.span),
        message: format!("block `{}`: {}", block.id, trouble.message),
        ..trouble
    };
    Wikilinks {
        links: block.links.iter().cloned().chain(in_text.links).collect(),
        troubles: in_text.troubles.into_iter().map(said).collect(),
    }
}

pub fn reference(link: &BlockLink, site: Site) -> Reference {
    let role = if link.is_relation { Role::Field } else { Role::Link };
    let receiver = match &link.to {
        LinkTarget::Title(_) => Some(LinkKind::Mention.name().to_string()),
        LinkTarget::Id(_) => link.label.clone(),
    };
    Reference {
        arguments: None,
        binding: None,
        flow: None,
        name: target(link),
        receiver,
        receiver_type: None,
        role,
        sites: vec![site],
    }
}

pub fn link_kind(link: &BlockLink) -> LinkKind {
    match (&link.to, link.is_relation) {
        (LinkTarget::Title(_), _) => LinkKind::Mention,
        (LinkTarget::Id(_), true) => LinkKind::Relation,
        (LinkTarget::Id(_), false) => LinkKind::Reference,
    }
}

pub fn target(link: &BlockLink) -> String {
    match &link.to {
        LinkTarget::Id(target) | LinkTarget::Title(target) => target.clone(),
    }
}

pub fn label(link: &BlockLink) -> &str {
    link.label.as_deref().unwrap_or_default()
}

/// The name of a field that holds links.
pub fn link_field(kind: LinkKind, label: &str) -> String {
    if label.is_empty() { kind.name().to_string() } else { format!("{}:{label}", kind.name()) }
}
