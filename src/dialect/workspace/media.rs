//! What pictures and embedded pages say.

use crate::dialect::markup::percent_decoded;

/// What the text of a picture starts with.
pub const IMAGE: &str = "Image: ";

/// `Image: ` with the description, else with the last part of the address. Exports also write the address itself as
/// the description.
pub fn image_text(description: &str, address: &str) -> String {
    let description = description.trim();
    let is_address = description.is_empty() || percent_decoded(description) == percent_decoded(address);
    let shown = if is_address { percent_decoded(last_part(address)).into_owned() } else { description.to_string() };
    format!("{IMAGE}{shown}")
}

/// `Embed: ` with the title, else with the address; of a file beside the pages with its name. Empty if there is neither.
pub fn embed_text(title: &str, address: &str) -> String {
    let (title, address) = (title.trim(), address.trim());
    let is_path = !is_address(address) && (title.is_empty() || percent_decoded(title) == percent_decoded(address));
    let name = percent_decoded(last_part(address));
    let shown = if is_path {
        &name
    } else if title.is_empty() {
        address
    } else {
        title
    };
    if shown.is_empty() { String::new() } else { format!("Embed: {shown}") }
}

/// Whether a link leads out of the export. Its own files and pages have no scheme.
pub fn is_address(target: &str) -> bool {
    target.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'))
}

/// The last part of the path of an address.
fn last_part(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.is_empty() { address } else { last }
}
