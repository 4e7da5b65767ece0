//! Packs as resources: what was created can be listed, attached and read without a tool.

use rmcp::model::{ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::Settings;
use super::arguments::quoted;
use super::root::Root;
use crate::door::pack::{Format, render};
use crate::record::pack::PackId;
use crate::text::one_line;

const SCHEME: &str = "contextpack://packs/";
const MIME_TYPE: &str = "text/markdown";
const PAGE: usize = 100;
const MAX_NAME_CHARS: usize = 80;

pub fn list(settings: &Settings, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let start = match cursor {
        None => 0,
        Some(cursor) => {
            cursor.parse().map_err(|_| ErrorData::invalid_params(format!("{} is no cursor", quoted(cursor)), None))?
        }
    };
    let packs = settings.roots.iter().flat_map(|root| root.packs().into_iter().map(move |pack| resource(root, pack)));
    let packs: Vec<Resource> = packs.collect();
    let mut result = ListResourcesResult::with_all_items(packs.iter().skip(start).take(PAGE).cloned().collect());
    result.next_cursor = (packs.len() > start.saturating_add(PAGE)).then(|| (start + PAGE).to_string());
    Ok(result)
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{root}}/{{packId}}"), "context pack").with_mime_type(MIME_TYPE)
}

pub fn read(settings: &Settings, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let found = find(settings, uri);
    let text = found.ok_or_else(|| ErrorData::resource_not_found(format!("there is no {}", quoted(uri)), None))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(MIME_TYPE)]))
}

/// Names are compared in their encoded form, so nothing is decoded.
fn find(settings: &Settings, uri: &str) -> Option<String> {
    let (name, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let root = settings.roots.iter().find(|root| encoded(&root.name) == name)?;
    let id = PackId::try_from(id.to_string()).ok()?;
    root.pack(&id).map(|pack| render(&pack, Format::Markdown))
}

fn resource(root: &Root, (id, query): (PackId, String)) -> Resource {
    let name: String = one_line(&query).chars().take(MAX_NAME_CHARS).collect();
    let name = if name.trim().is_empty() { id.to_string() } else { name };
    Resource::new(format!("{SCHEME}{}/{id}", encoded(&root.name)), name).with_mime_type(MIME_TYPE)
}

fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
