//! `pack` with `pack_id`: a pack that was made, whole or in parts.

use std::sync::Arc;

use serde::Deserialize;

use super::{Call, Limit, Reply};
use crate::door::pack::{Format, json, render};
use crate::mcp::arguments::quoted;
use crate::mcp::fault::Fault;
use crate::mcp::root::Root;
use crate::record::ErrorCode;
use crate::record::pack::{ContextPack, PackId};

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PackFormat {
    #[default]
    Markdown,
    Xml,
    Json,
}

impl PackFormat {
    pub fn print(self, pack: &ContextPack) -> String {
        match self {
            PackFormat::Markdown => render(pack, Format::Markdown),
            PackFormat::Xml => render(pack, Format::Xml),
            PackFormat::Json => json(pack),
        }
    }
}

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let id = call.arguments.required("pack_id")?;
    let id = PackId::try_from(id.clone())
        .map_err(|_| Fault::bad_request(format!("{} is no pack's id: `pack:` and 32 hex digits", quoted(&id))))?;
    let format: PackFormat = call.format()?;
    let (root, pack) = found(call, &id)?;
    let limit = Limit { tokenizer: pack.request.tokenizer, ..limit };
    let mut reply = call.paged(&format.print(&pack), limit, "call again with")?;
    reply.fact("packId", pack.pack_id.as_str());
    reply.fact("items", pack.items().len());
    reply.stale(changed(call, root, &pack).as_deref());
    Ok(reply)
}

fn found<'c>(call: &Call<'c>, id: &PackId) -> Result<(&'c Root, Arc<ContextPack>), Fault> {
    let named = call.arguments.name("root")?.map(|_| call.root()).transpose()?;
    let mut roots = call.settings.roots.iter().filter(|root| named.is_none_or(|named| named.name == root.name));
    let found = roots.find_map(|root| root.pack(id).map(|pack| (root, pack)));
    found.ok_or_else(|| {
        Fault::new(ErrorCode::PackMissing, format!("there is no pack `{id}`")).hint("make it again with `query`")
    })
}

/// Whether the tree would give another pack now.
fn changed(call: &Call, root: &Root, pack: &ContextPack) -> Option<String> {
    let opened = match root.open(call.progress) {
        Ok(opened) => opened,
        Err(fault) => return Some(fault.message),
    };
    let same = root.source(&opened).is_ok_and(|now| now.signature() == pack.index_signature);
    match same {
        true => opened.stale,
        false => Some("the tree has changed since the pack was made".to_string()),
    }
}
