//! The inside of links: what they lead to, and what they show.

use std::borrow::Cow;

/// Endings of files that are shown or opened, but hold no notes.
const ATTACHMENTS: &str = " 3gp aac avif base bin bmp csv doc docx edn epub flac gif gz heic heif ico jpeg jpg key m4a \
    m4v mkv mov mp3 mp4 mpeg mpg numbers odp ods odt ogg ogv opus pages pdf png ppt pptx psd rar rtf svg tar tif tiff \
    tsv wav webm webp wma wmv xls xlsx zip ";

/// The target of a link as the graph looks it up, from what stands between the brackets: without the text to show,
/// and `T^id` as `T#^id`. Absent if nothing is left.
pub fn reference_name(inside: &str) -> Option<Cow<'_, str>> {
    let target = target(inside);
    if target.is_empty() {
        return None;
    }
    let (page, inside) = target.split_at(target.find(['#', '^']).unwrap_or(target.len()));
    // The id of a block is enough, whatever section the link says it is in.
    match inside.rsplit_once('^').filter(|(_, id)| is_block_id(id)) {
        Some((before, id)) if before.is_empty() || before.len() > 1 && before.ends_with('#') => {
            Some(format!("{page}#^{id}").into())
        }
        _ => Some(target.into()),
    }
}

/// What stands before `|`; in tables that is written `\|`.
fn target(inside: &str) -> &str {
    let target = inside.split('|').next().unwrap_or_default();
    let target = if target.len() < inside.len() { target.trim_end_matches('\\') } else { target };
    target.trim()
}

pub fn is_block_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Whether a target is a file that holds no notes, such as an image.
pub fn is_attachment(target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default().trim_end();
    let Some((_, ending)) = path.rsplit_once('.') else { return false };
    let is_word = (2..=7).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_word && ATTACHMENTS.contains(&format!(" {} ", ending.to_ascii_lowercase()))
}

/// A text with the names of its links in their places.
pub fn plain_text(text: &str) -> Cow<'_, str> {
    if !text.contains("[[") {
        return text.into();
    }
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(close) = rest.find("]]") {
        let (before, behind) = (&rest[..close], &rest[close + 2..]);
        match before.rfind("[[") {
            Some(open) => {
                plain.push_str(before[..open].strip_suffix('!').unwrap_or(&before[..open]));
                plain.push_str(shown(&before[open + 2..]));
            }
            None => plain.push_str(&rest[..close + 2]),
        }
        rest = behind;
    }
    plain.push_str(rest);
    plain.into()
}

/// What a link shows: the text behind `|`, else the name of the page that it leads to.
fn shown(inside: &str) -> &str {
    if let Some((_, alias)) = inside.split_once('|') {
        return alias.trim();
    }
    let target = inside.trim();
    let path = target.split('#').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".md").unwrap_or(name);
    if name.is_empty() { target } else { name }
}

/// `%20` and the like as the characters that they stand for. A text that would be none then stays as it is.
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let hex = |at: usize| {
        let digits = text.get(at..at + 2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())
    };
    let (mut bytes, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let escaped = if *byte == b'%' { hex(at + 1) } else { None };
        bytes.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(bytes).map_or(text.into(), Cow::Owned)
}
