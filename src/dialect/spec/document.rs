//! One spec document: its front matter and its headings.

use super::front_matter::{self, FieldValue, FrontMatter};
use super::section;
use crate::document::yaml::YamlFault;
use crate::language::{Heading, markdown_headings};
use crate::record::{Digest, Lines, SpecRole};
use crate::text::RepoPath;

pub struct Document {
    pub path: RepoPath,
    pub text: String,
    /// Of the file as it is stored.
    pub hash: Digest,
    pub front_lines: Lines,
    /// Its front matter, or why that cannot be read.
    pub front: Result<FrontMatter, YamlFault>,
    prose_start: usize,
    /// In the order of the text.
    pub headings: Vec<Head>,
}

/// A heading and the text below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub level: u32,
    /// As it is written, without its marks.
    pub name: String,
    /// The same without its markup.
    pub words: String,
    /// From 1.
    pub line: u32,
    /// The offset of its name in the text.
    pub name_start: u32,
    /// Where its text starts and ends: at the next heading that is not below it.
    pub body: (usize, usize),
}

impl Head {
    /// What section rules look at.
    pub fn heading(&self) -> section::Heading<'_> {
        section::Heading { level: self.level, name: &self.name, words: &self.words }
    }
}

impl Document {
    /// Absent when the text is no spec document.
    pub fn read(path: RepoPath, text: String, hash: Digest) -> Option<Document> {
        let found = front_matter::find(&text)?;
        let headings = heads(&text);
        Some(Document {
            path,
            hash,
            front_lines: found.lines,
            front: found.front,
            prose_start: found.end,
            headings,
            text,
        })
    }

    /// A word of the front matter; empty where it is missing.
    pub fn word(&self, key: &'static str) -> &str {
        self.field(key).map_or("", |value| &value.text)
    }

    pub fn field(&self, key: &'static str) -> Option<&FieldValue> {
        self.front.as_ref().ok()?.words.get(key)
    }

    pub fn role(&self) -> SpecRole {
        SpecRole::of_id(self.word("id"))
    }

    /// All but its front matter.
    pub fn prose(&self) -> &str {
        &self.text[self.prose_start..]
    }

    /// The whole lines below a heading, without the blank ones around them.
    pub fn body(&self, head: &Head) -> &str {
        let body = self.text[head.body.0..head.body.1].trim_end();
        let blank = body.len() - body.trim_start().len();
        let line = body[..blank].rfind('\n').map_or(0, |at| at + 1);
        &body[line..]
    }
}

fn heads(text: &str) -> Vec<Head> {
    let headings = markdown_headings(text);
    let mut ends = vec![text.len(); headings.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        while let Some(last) = open.pop_if(|last| headings[*last].level >= heading.level) {
            ends[last] = heading.start;
        }
        open.push(at);
    }
    let mut lines = (0, 1);
    let head = |(heading, end): (&Heading, usize)| {
        lines.1 += text[lines.0..heading.start].matches('\n').count() as u32;
        lines.0 = heading.start;
        Head {
            level: heading.level as u32,
            name: heading.name_span.text(text).to_string(),
            words: heading.name.to_string(),
            line: lines.1,
            name_start: heading.name_span.start,
            body: (heading.end.min(end), end),
        }
    };
    headings.iter().zip(ends).map(head).collect()
}
