//! Gathers what markup says: the tags, fields and dates of a page and its parts, and the mentions of other pages.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::dates::{created_and_modified, value_date};
use super::link::{is_attachment, percent_decoded, plain_text};
use super::nest::Nest;
use super::scan::{Mark, Sign, Syntax};
use super::sheet::Sheet;
use super::task::TaskState;
use crate::dialect::note::date_of_text;
use crate::dialect::{Details, Part};
use crate::language::{Complaint, Facts, Mention, ProseLink, is_external, link_mention};
use crate::record::{Field, FieldValue, ProblemCode, Role};
use crate::text::{LineIndex, Span, fold};

/// The field that lists files without notes.
const ATTACHMENTS: &str = "attachments";

/// What a page and its parts say. Owner 0 is the page, the others are its parts.
pub struct Collector<'t, 'i> {
    index: &'i LineIndex<'t>,
    pub details: Vec<Details>,
    pub mentions: Vec<Mention<'t>>,
    pub complaints: Vec<Complaint>,
    /// Where the fields of each owner are in its list.
    fields: FxHashMap<(usize, String), usize>,
    /// The folded tags of each owner.
    tags: FxHashSet<(usize, String)>,
    /// The field whose value is being read.
    open_field: Option<(&'t str, Span)>,
    syntax: Syntax,
}

/// The parts of a page, and where the text of each is.
pub struct Owners<'o> {
    pub parts: &'o [Part],
    pub spans: &'o [Span],
}

impl<'t, 'i> Collector<'t, 'i> {
    pub fn new(index: &'i LineIndex<'t>, owners: usize, syntax: Syntax) -> Self {
        Collector {
            index,
            details: vec![Details::default(); owners],
            mentions: Vec::new(),
            complaints: Vec::new(),
            fields: FxHashMap::default(),
            tags: FxHashSet::default(),
            open_field: None,
            syntax,
        }
    }

    /// Gives all marks and links of a text to the innermost part around each, then sets dates.
    pub fn take_all(&mut self, marks: Vec<Mark<'t>>, sheet: &Sheet<'t>, owners: &Owners) {
        let is_hidden = |link: &&ProseLink| sheet.zones.holds(link.span.start as usize);
        let mut links: Vec<_> = sheet.outline.links.iter().filter(|link| !is_hidden(link)).collect();
        links.sort_by_key(|link| link.span);
        let mut links = links.into_iter().peekable();
        let mut nest = Nest::new(owners.spans);
        let owner = |part: Option<usize>| part.map_or(0, |at| at + 1);
        for mark in marks {
            while let Some(link) = links.next_if(|link| link.span.start < mark.span.start) {
                self.take_markdown_link(link, owner(nest.around(link.span.start)));
            }
            if matches!(mark.sign, Sign::Link { .. }) {
                // `[text]([[page]])` and `[[page]](behind)` are one link, although markdown reads them as another.
                while links.next_if(|link| is_part_of(sheet.text, mark.span, link.span)).is_some() {}
            }
            let part = nest.around(mark.span.start);
            let is_block = part.is_some_and(|at| owners.parts[at].kind == "block");
            self.take(mark, owner(part), is_block);
        }
        for link in links {
            self.take_markdown_link(link, owner(nest.around(link.span.start)));
        }
        self.set_dates();
    }

    /// A task is of the block that it is, if it is one.
    fn take(&mut self, mark: Mark<'t>, owner: usize, is_block: bool) {
        let span = mark.span;
        match mark.sign {
            Sign::Link { target, is_embed } => self.bracket_link(owner, target, is_embed, span),
            Sign::Tag(tag) => self.tag(owner, tag, span),
            Sign::Field { name, value } => {
                self.open_field = Some((name, value));
                self.text_field(owner, name, value);
            }
            Sign::Task(state) => self.task(owner, state, span, is_block),
            Sign::TaskDate { name, value } => self.task_date(owner, name, value, is_block),
            Sign::BlockId(_) => {}
        }
    }

    /// A link or an image of markdown: to a note, to a file without notes, or to code.
    fn take_markdown_link(&mut self, link: &ProseLink<'t>, owner: usize) {
        let target: &str = &link.target;
        if target.is_empty() || is_external(target) {
            return;
        }
        if leads_to_code(target) {
            let style = if link.is_image { "image" } else { "link" };
            return self.mentions.extend(link_mention(target, link.span, style));
        }
        let target = percent_decoded(target).trim().to_string();
        self.link(owner, target.into(), link.is_image, link.span);
    }

    /// A link between brackets: in Logseq to a page, whatever its name looks like.
    fn bracket_link(&mut self, owner: usize, target: Cow<'t, str>, is_embed: bool, span: Span) {
        match self.syntax {
            Syntax::Vault => self.link(owner, target, is_embed, span),
            Syntax::Logseq => self.note_link(target, is_embed, span),
        }
    }

    /// A link to a note, or to a file without notes.
    pub fn link(&mut self, owner: usize, target: Cow<'t, str>, is_embed: bool, span: Span) {
        if is_attachment(&target) {
            let line = self.line(span.start);
            return self.add_value(owner, ATTACHMENTS, FieldValue::at(line, target));
        }
        self.note_link(target, is_embed, span);
    }

    /// A link to a note; in the value of a field it is a value of that field.
    fn note_link(&mut self, target: Cow<'t, str>, is_embed: bool, span: Span) {
        let field = self.open_field.filter(|(_, value)| value.contains(span));
        let mention = match field {
            Some((name, _)) => Mention::new(Role::Field, target, span).with_receiver(name),
            None => Mention::new(if is_embed { Role::Embed } else { Role::Link }, target, span),
        };
        self.mentions.push(mention);
    }

    /// A tag, and one mention for each tag that it is below.
    pub fn tag(&mut self, owner: usize, tag: &str, span: Span) {
        let folded = fold(tag);
        let borders = folded.match_indices('/').map(|(at, _)| &folded[..at]);
        let names = borders.chain([folded.as_str()]).filter(|name| !name.is_empty());
        self.mentions.extend(names.map(|name| Mention::new(Role::Tag, name.to_string(), span)));
        // In a vault, what is tagged in a part is tagged in the page.
        let page = (self.syntax == Syntax::Vault).then_some(0);
        for owner in [Some(owner), page].into_iter().flatten() {
            if self.tags.insert((owner, folded.clone())) {
                self.details[owner].tags.push(tag.to_string());
            }
        }
    }

    fn text_field(&mut self, owner: usize, name: &str, value: Span) {
        let text = value.text(self.index.text());
        let line = self.line(value.start.saturating_sub(1));
        self.field(owner, name, text, line);
    }

    /// A field with a text as its value. An empty one is none.
    pub fn field(&mut self, owner: usize, name: &str, text: &str, line: u32) {
        let text = plain_text(text.trim());
        if text.is_empty() {
            return;
        }
        let date = value_date(&text);
        if fold(name) == "due" && self.details[owner].due.is_none() {
            self.details[owner].due = date.clone();
        }
        self.add_value(owner, name, FieldValue { date, ..FieldValue::at(line, text) });
    }

    fn add_value(&mut self, owner: usize, name: &str, value: FieldValue) {
        let fields = &mut self.details[owner].fields;
        let at = *self.fields.entry((owner, name.to_string())).or_insert_with(|| {
            fields.push(Field::new(name, []));
            fields.len() - 1
        });
        fields[at].values.push(value);
    }

    pub fn task(&mut self, owner: usize, state: TaskState, span: Span, is_block: bool) {
        let line = self.line(span.start);
        self.add_value(owner, "task", FieldValue::at(line, state.name()));
        if is_block && self.details[owner].done.is_none() {
            self.details[owner].done = Some(state == TaskState::Done);
        }
    }

    pub fn task_date(&mut self, owner: usize, name: &str, value: Span, is_block: bool) {
        let text = value.text(self.index.text());
        // Behind the day there may be what no date has, such as `.+1d` of a task that repeats.
        let date = date_of_text(text).or_else(|| date_of_text(text.get(..10)?));
        let Some(date) = date else { return self.bad_date(name, text, value) };
        let line = self.line(value.start);
        if name == "due" && is_block && self.details[owner].due.is_none() {
            self.details[owner].due = Some(date.clone());
        }
        let value = FieldValue { date: Some(date), ..FieldValue::at(line, text) };
        self.add_value(owner, name, value);
    }

    fn bad_date(&mut self, name: &str, text: &str, span: Span) {
        let message = format!("`{}` cannot be read as the date `{name}`", shortened(text));
        self.complaints.push(Complaint { code: ProblemCode::ItemDate, span, message });
    }

    /// Sets the dates that the fields of each owner give.
    fn set_dates(&mut self) {
        for owner in 0..self.details.len() {
            let dates = created_and_modified(&self.details[owner].fields);
            let details = &mut self.details[owner];
            (details.created, details.modified) = (dates.created, dates.modified);
            for (name, value) in dates.unread {
                let span = self.line_span(value.line_or_first());
                self.bad_date(&name, value.as_str(), span);
            }
        }
    }

    /// Adds what was found to the facts. Gives what the page says, then what its parts say.
    pub fn finish(self, facts: &mut Facts<'t>) -> (Details, impl Iterator<Item = Details>) {
        facts.mentions.extend(self.mentions);
        facts.complaints.extend(self.complaints);
        facts.settle();
        let mut details = self.details.into_iter();
        (details.next().unwrap_or_default(), details)
    }

    pub fn text(&self, span: Span) -> &'t str {
        span.text(self.index.text())
    }

    /// The line of an offset, from 1.
    fn line(&self, offset: u32) -> u32 {
        self.index.line(offset) + 1
    }

    /// A line without its line break.
    pub fn line_span(&self, line: u32) -> Span {
        let start = self.index.start(line - 1);
        let len = self.index.line_text(line - 1).trim_end().len() as u32;
        Span { start, end: start + len }
    }
}

/// Whether the target of a markdown link is a link in brackets, or stands right behind one.
fn is_part_of(text: &str, mark: Span, link: Span) -> bool {
    let between = text.get(mark.end as usize..link.start as usize);
    link.start < mark.end || between.is_some_and(|between| between.starts_with('(') && between.len() <= 2)
}

/// Files that are neither notes nor attachments stay imports, so that their code is found.
fn leads_to_code(target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, ending)) => {
            let is_ending = ending.len() <= 10 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let is_note = ["md", "markdown", "canvas"].iter().any(|note| ending.eq_ignore_ascii_case(note));
            let is_word = ending.bytes().any(|byte| byte.is_ascii_alphabetic());
            !stem.is_empty() && is_ending && is_word && !is_note && !is_attachment(name)
        }
        None => name.is_empty() && !path.is_empty(),
    }
}

fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(60)]
}
