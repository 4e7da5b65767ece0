//! A Tana export with the shares of documents that real ones have.

use std::fmt::Write as _;

use super::{Random, Words};

/// The text of an export and what is in it.
pub struct TanaExport {
    pub text: String,
    pub docs: usize,
    /// Titles of notes: first those with the most children, then some of all others.
    pub topics: Vec<String>,
}

/// One document while the export is made.
struct Doc {
    owner: u32,
    kind: &'static str,
    name: String,
    children: Vec<String>,
    meta: u32,
    created: u64,
}

const NONE: u32 = u32::MAX;
const ROOT: &str = "workspace000";
/// What every workspace has, with its kind; the first one is the workspace itself.
const AREAS: [(&str, &str, &str); 8] = [
    ("", "", "Root"),
    ("_TRASH", "", "Trash"),
    ("_STASH", "", "Stash"),
    ("_SCHEMA", "", "Schema"),
    ("_USERS", "", "Users"),
    ("_CAPTURE_INBOX", "", "Inbox"),
    ("_home", "home", "Home"),
    ("_journal", "journal", "Calendar"),
];
const TRASH: u32 = 1;
const STASH: u32 = 2;
const SCHEMA: u32 = 3;
const HOME: u32 = 6;
const JOURNAL: u32 = 7;

struct Maker {
    random: Random,
    words: Words,
    docs: Vec<Doc>,
    tags: Vec<u32>,
    fields: Vec<u32>,
    days: Vec<u32>,
    /// Notes that are not in the trash.
    notes: Vec<u32>,
}

/// An export of so many documents: 47 % plain ones, 29 % tuples of which 97 % have two children, 13 % metanodes, 5 %
/// associated data, 2 % code blocks, and in 300,000 documents 300 tags, 1,700 fields and 3,000 days. One name in fifty
/// refers to another note, one note in twenty is in the trash, ten notes have 600 to 5,000 children and one has
/// 20,000. Of the topics, so many are hubs.
pub fn export(count: usize, hubs: usize, topics: usize) -> TanaExport {
    let mut random = Random::new(1);
    let words = Words::new(&mut random);
    let mut maker = Maker {
        random,
        words,
        docs: Vec::with_capacity(count),
        tags: Vec::new(),
        fields: Vec::new(),
        days: Vec::new(),
        notes: Vec::new(),
    };
    maker.make(count);
    let topics = maker.topics(hubs, topics);
    TanaExport { text: maker.write(), docs: maker.docs.len(), topics }
}

impl Maker {
    fn make(&mut self, count: usize) {
        let scale = |share: usize| (count * share).div_ceil(300_000);
        for (_, kind, name) in AREAS {
            self.add(0, kind, name);
        }
        self.docs[0].owner = NONE;
        self.tags = (0..scale(300)).map(|_| self.named(SCHEMA, "tagDef", 2)).collect();
        self.fields = (0..scale(1700)).map(|_| self.named(SCHEMA, "attrDef", 2)).collect();
        self.days = (0..scale(3000)).map(|at| self.day(at)).collect();
        self.extend_tags(scale(30));
        let [plain, code, data] = [47, 2, 5].map(|share| count * share / 100);
        let [tuples, metas] = [29, 13].map(|share| count * share / 100);
        let hubs: Vec<u32> = (0..11).map(|_| self.note()).collect();
        let sizes: Vec<usize> =
            (0..10).map(|at| 600 + at * 440).chain([20_000]).map(|size| size * count / 300_000).collect();
        for (hub, size) in hubs.iter().zip(&sizes) {
            for _ in 0..*size {
                self.child_of(*hub);
            }
        }
        // Seven in ten fields have a value of their own, which is a plain document, too.
        let values = (tuples - metas) * 7 / 10;
        let rest = plain - values.min(plain) - sizes.iter().sum::<usize>() - hubs.len();
        for _ in 0..rest {
            self.note();
        }
        (0..code).for_each(|_| self.code());
        (0..metas).for_each(|_| self.meta());
        (0..data).for_each(|_| self.associated_data());
        (0..tuples - metas).for_each(|_| self.field());
        while self.docs.len() < count {
            self.note();
        }
    }

    fn add(&mut self, owner: u32, kind: &'static str, name: &str) -> u32 {
        let created = 1_700_000_000_000 + self.random.below(70_000_000) as u64 * 1000;
        let name = name.to_string();
        self.docs.push(Doc { owner, kind, name, children: Vec::new(), meta: NONE, created });
        let number = self.docs.len() as u32 - 1;
        if number > 0 && kind != "metanode" && kind != "associatedData" {
            let id = id(number);
            self.docs[owner as usize].children.push(id);
        }
        number
    }

    fn named(&mut self, owner: u32, kind: &'static str, words: usize) -> u32 {
        let name = self.words.text(&mut self.random, words);
        self.add(owner, kind, &name)
    }

    fn day(&mut self, at: usize) -> u32 {
        let name = format!("{}-{:02}-{:02} - Day", 2018 + at / 336, at / 28 % 12 + 1, at % 28 + 1);
        self.add(JOURNAL, "journalPart", &name)
    }

    fn extend_tags(&mut self, count: usize) {
        for at in 0..count.min(self.tags.len() / 2) {
            let (tag, base) = (self.tags[at], self.tags[self.tags.len() - 1 - at]);
            let meta = self.add(tag, "metanode", "");
            self.docs[tag as usize].meta = meta;
            let tuple = self.add(meta, "tuple", "");
            self.docs[tuple as usize].children = vec!["SYS_A13".to_string(), "SYS_T01".to_string(), id(base)];
        }
    }

    /// A note somewhere in the outline: on a day, below a recent note, or on its own.
    fn note(&mut self) -> u32 {
        let owner = match self.random.below(100) {
            0..5 => TRASH,
            5..12 => STASH,
            12..15 => HOME,
            15..40 => self.days[self.random.below(self.days.len())],
            _ if self.notes.is_empty() => STASH,
            _ => {
                let recent = self.notes.len().min(2000);
                self.notes[self.notes.len() - 1 - self.random.below(recent)]
            }
        };
        self.child_of(owner)
    }

    fn child_of(&mut self, owner: u32) -> u32 {
        let count = self.random.between(1, 40);
        let mut name = self.words.text(&mut self.random, count);
        if self.random.is_one_of(20) && !self.notes.is_empty() {
            let target = id(self.notes[self.random.below(self.notes.len())]);
            let _ = write!(name, " <span data-inlineref-node=\\\"{target}\\\"></span>");
        }
        let number = self.add(owner, "", &name);
        if owner != TRASH {
            self.notes.push(number);
        }
        number
    }

    fn any_note(&mut self) -> u32 {
        self.notes[self.random.below(self.notes.len())]
    }

    fn code(&mut self) {
        let owner = self.any_note();
        let lines: Vec<String> = (0..self.random.between(2, 8)).map(|_| self.words.text(&mut self.random, 5)).collect();
        self.add(owner, "codeblock", &lines.join("\\n    "));
    }

    /// A metanode with a tag, or with a setting.
    fn meta(&mut self) {
        let note = self.any_note();
        let meta = self.add(note, "metanode", "");
        self.docs[note as usize].meta = meta;
        let tuple = self.add(meta, "tuple", "");
        let is_tag = self.random.is_one_of(600);
        let tag = id(self.tags[self.random.below(self.tags.len())]);
        let label = if is_tag { "SYS_A13" } else { "SYS_A12" };
        self.docs[tuple as usize].children = vec![label.to_string(), if is_tag { tag } else { "SYS_V03".to_string() }];
    }

    fn associated_data(&mut self) {
        let note = self.any_note();
        self.add(note, "associatedData", "");
    }

    /// A field with a value of its own, or with another note.
    fn field(&mut self) {
        let note = self.any_note();
        let tuple = self.add(note, "tuple", "");
        let label = id(self.fields[self.random.below(self.fields.len())]);
        self.docs[tuple as usize].children.push(label);
        let values = if self.random.is_one_of(970) { 1 } else { self.random.between(2, 5) };
        for _ in 0..values {
            if self.random.is_one_of(700) {
                let words = self.random.between(1, 4);
                self.named(tuple, "", words);
            } else {
                let other = id(self.any_note());
                self.docs[tuple as usize].children.push(other);
            }
        }
    }

    fn topics(&self, hubs: usize, count: usize) -> Vec<String> {
        let doc = |note: &u32| &self.docs[*note as usize];
        let mut notes: Vec<u32> = self.notes.iter().copied().filter(|note| !doc(note).name.contains('<')).collect();
        notes.sort_by_key(|note| (std::cmp::Reverse(doc(note).children.len()), *note));
        let mut others = notes.split_off(hubs);
        others.sort_unstable();
        let step = others.len() / (count - hubs);
        let all = notes.iter().chain(others.iter().step_by(step)).take(count);
        all.map(|note| doc(note).name.clone()).collect()
    }

    /// One line, as Tana writes it.
    fn write(&self) -> String {
        let mut text = String::with_capacity(230 * self.docs.len());
        text.push_str("{\"editors\":[[\"ada@lovelace.example\",0],[\"system@tagr\",1]],\"lastTxid\":1769766906612,");
        text.push_str("\"optimisticTransIds\":[],\"formatVersion\":1,\"workspaces\":{},\"docs\":[");
        for (number, doc) in self.docs.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            doc.write(number as u32, &mut text);
        }
        text.push_str("]}");
        text
    }
}

impl Doc {
    fn write(&self, number: u32, text: &mut String) {
        let _ = write!(text, "{{\"id\":\"{}\",\"props\":{{\"created\":{}", id(number), self.created);
        if self.owner != NONE {
            let _ = write!(text, ",\"_ownerId\":\"{}\"", id(self.owner));
        }
        if self.meta != NONE {
            let _ = write!(text, ",\"_metaNodeId\":\"{}\"", id(self.meta));
        }
        for (key, value) in [("_docType", self.kind), ("name", self.name.as_str())] {
            if !value.is_empty() {
                let _ = write!(text, ",\"{key}\":\"{value}\"");
            }
        }
        text.push('}');
        if !self.children.is_empty() {
            let _ = write!(text, ",\"children\":[\"{}\"]", self.children.join("\",\""));
        }
        let _ = write!(text, ",\"modifiedTs\":[{}],\"touchCounts\":[4]}}", self.created + 5000);
    }
}

/// Twelve characters, as Tana gives them; those of the workspace end with what they are.
fn id(number: u32) -> String {
    if let Some((end, ..)) = AREAS.get(number as usize) {
        return format!("{ROOT}{end}");
    }
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // An odd factor makes it one to one.
    let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let low = (0..11).map(|at| char::from(DIGITS[(mixed >> (6 * at)) as usize & 63]));
    low.chain([char::from(DIGITS[(number & 15) as usize])]).collect()
}
