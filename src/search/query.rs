//! Parses a query: words with their weights, and names, paths, lines and quotations that it contains.
//!
//! A query may be an issue report. The title says what it is about, a fenced block shows code or output, a trace
//! names lines of files, and the headings and checkboxes of an issue template carry no information.

use std::collections::BTreeMap;

use super::literals::Literal;
use super::quotes::{is_contracted, quotations};
pub use super::trace::Place;
use super::trace::{
    function_of_frame, is_frame, is_path, is_trace, linked_path, parse_place, parse_python_frame, parse_spelled_frame,
};
use super::translate::Translation;
use super::weights::Weights;
use super::words::{Analyser, parts, whole, words};
use crate::text::is_unspaced;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Terms with their weights.
    pub terms: BTreeMap<String, f64>,
    /// Names exactly as written, with their weights: words that look like code or are marked as code.
    pub names: BTreeMap<String, f64>,
    /// Names with their owners: `("Parser", "run")` for `Parser.run`, `a::Parser::run`.
    pub qualified: Vec<(String, String)>,
    /// Full or partial paths of files.
    pub paths: Vec<String>,
    /// Lines of files that traces and links name.
    pub places: Vec<Place>,
    /// Quoted texts of more than one word.
    pub quotations: Vec<String>,
    /// The words of the title, the prose and the code, each once, in order.
    pub words: Vec<QueryWord>,
    /// The lines that may contain a text of the tree, such as an error message.
    pub lines: Vec<String>,
    /// Texts of the query that were found in chunks. [`super::literals`] finds them after parsing.
    pub literals: Vec<Literal>,
    /// Words that were translated. [`super::translate`] adds them after parsing.
    pub translations: Vec<Translation>,
}

/// A word of the query as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    pub text: String,
    pub weight: f64,
    /// It looks like code, or is marked or quoted.
    pub is_name: bool,
    pub is_title: bool,
    /// It is in a sentence, not in code.
    pub is_prose: bool,
}

/// The kind of text that a line of the query belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    Title,
    Prose,
    /// Inside a fence, or indented.
    Code,
    /// A trace or a log.
    Trace,
    /// A heading below the title. It comes from the template as often as from the author.
    Heading,
    /// The template's own text.
    Template,
}

impl Zone {
    /// The weight of a word in this zone.
    fn weight(self, weights: &Weights) -> f64 {
        match self {
            Zone::Title => weights.title,
            Zone::Prose => weights.body,
            Zone::Code => weights.code,
            Zone::Trace => weights.trace,
            Zone::Heading => weights.heading,
            Zone::Template => 0.0,
        }
    }
}

/// A repeated word weighs at most this many times as much as a single occurrence.
const MOST_REPEATED: f64 = 3.0;
/// The factor for bare numbers: versions, sizes and addresses are everywhere.
const NUMBER: f64 = 0.3;
/// Further words are ignored: a query may contain a megabyte of log.
const MAX_WORDS: usize = 4_000;
/// Further lines are not compared with texts of the tree.
const MAX_LINES: usize = 400;

impl Query {
    pub fn parse(text: &str, weights: &Weights) -> Query {
        let mut reader = Reader {
            query: Query::default(),
            frames: Vec::new(),
            sums: BTreeMap::new(),
            compounds: BTreeMap::new(),
            seen: BTreeMap::new(),
            analyser: Analyser::default(),
            left: MAX_WORDS,
        };
        let mut previous = "";
        for (zone, line) in zones(text) {
            reader.read(zone, zone.weight(weights), line, previous);
            previous = line;
        }
        reader.finish(weights)
    }
}

/// Splits a query into lines, each with its zone.
pub fn zones(text: &str) -> Vec<(Zone, &str)> {
    let mut zones = Vec::new();
    let (mut fenced, mut titled, mut comment, mut about_setup) = (false, false, false, false);
    for line in text.lines() {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        comment |= trimmed.starts_with("<!--");
        let heading = titled && !fenced && is_heading(trimmed);
        if heading {
            about_setup = names_setup(trimmed);
        }
        let zone = if fence || trimmed.is_empty() || comment || about_setup {
            Zone::Template
        } else if is_trace(trimmed) {
            Zone::Trace
        } else if fenced || line.starts_with("    ") || line.starts_with('\t') {
            Zone::Code
        } else if is_template(trimmed) {
            Zone::Template
        } else if heading {
            Zone::Heading
        } else if !titled {
            Zone::Title
        } else {
            Zone::Prose
        };
        titled |= !trimmed.is_empty();
        fenced ^= fence;
        comment &= !trimmed.ends_with("-->");
        zones.push((zone, line));
    }
    zones
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') || (line.starts_with("**") && line.ends_with("**"))
}

/// Whether a heading introduces the author's setup, not the problem.
fn names_setup(heading: &str) -> bool {
    const WORDS: &[&str] = &[
        "checklist",
        "environment",
        "install",
        "operating",
        "os",
        "platform",
        "setup",
        "system",
        "version",
        "versions",
    ];
    let heading = heading.to_lowercase();
    words(&heading).any(|(_, word)| WORDS.contains(&word))
}

/// Whether a line is a heading or checkbox of an issue template.
fn is_template(line: &str) -> bool {
    const HEADINGS: &[&str] = &[
        "actual",
        "actual behavior",
        "actual behaviour",
        "additional context",
        "additional information",
        "bug report",
        "checklist",
        "context",
        "current behavior",
        "current behaviour",
        "describe the bug",
        "description",
        "environment",
        "expected",
        "expected behavior",
        "expected behaviour",
        "expected result",
        "motivation",
        "platform",
        "possible solution",
        "problem",
        "proposal",
        "reproducible example",
        "reproduction",
        "screenshots",
        "steps to reproduce",
        "summary",
        "system information",
        "to reproduce",
        "version",
        "versions",
        "what did you do",
        "what did you expect to see",
        "what did you see instead",
        "what happened",
    ];
    let heading = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let ticked = ["- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]"].iter().any(|tick| line.starts_with(tick));
    ticked || HEADINGS.binary_search(&heading.as_str()).is_ok()
}

struct Reader {
    query: Query,
    /// Frames of Python traces, the outermost first.
    frames: Vec<Place>,
    /// For each word, the largest weight of an occurrence and the sum of all weights.
    sums: BTreeMap<String, (f64, f64)>,
    /// Two adjacent words joined into one name, with the weight of their zone.
    compounds: BTreeMap<String, f64>,
    /// Where each word is in the query's words.
    seen: BTreeMap<String, usize>,
    analyser: Analyser,
    left: usize,
}

impl QueryWord {
    fn join(&mut self, other: &QueryWord) {
        self.is_name |= other.is_name;
        self.is_title |= other.is_title;
        self.is_prose |= other.is_prose;
        self.weight = self.weight.max(other.weight);
    }
}

impl Reader {
    fn read(&mut self, zone: Zone, weight: f64, line: &str, previous: &str) {
        self.read_tokens(line, previous);
        if !is_frame(line.trim()) {
            self.read_quotations(line);
        }
        if weight == 0.0 {
            return;
        }
        let plain = without_links(line);
        let line = plain.as_str();
        if zone != Zone::Heading && !is_frame(line.trim()) && self.query.lines.len() < MAX_LINES {
            self.query.lines.push(line.to_string());
        }
        self.read_words(zone, weight, line);
        let ticks = backtick_ranges(line);
        for (at, word) in told_words(line).take(self.left) {
            let (most, sum) = self.sums.entry(word.to_string()).or_default();
            *most = most.max(weight);
            *sum += weight;
            let marked = ticks.iter().any(|range| range.contains(&at));
            let called = line[at + word.len()..].starts_with('(');
            if marked || called || looks_like_code(word) {
                let strength = if marked || zone == Zone::Title { 1.0 } else { weight.min(1.0) };
                let name = self.query.names.entry(word.trim_matches('`').to_string()).or_default();
                *name = name.max(strength);
            }
        }
        self.read_compounds(weight, line);
        self.left = self.left.saturating_sub(words(line).count());
    }

    /// Keeps words as they are written, to report which of them the tree does not contain.
    fn read_words(&mut self, zone: Zone, weight: f64, line: &str) {
        if !matches!(zone, Zone::Title | Zone::Prose | Zone::Code) {
            return;
        }
        let quoted = quotations(line);
        for (at, word) in told_words(line).take(self.left) {
            let is_quoted = quoted.iter().any(|range| range.start == at && range.end == at + word.len());
            let is_called = line[at + word.len()..].starts_with('(');
            let text = word.trim_matches('_').to_string();
            let one = QueryWord {
                is_name: is_quoted || is_called || looks_like_code(word),
                is_title: zone == Zone::Title,
                is_prose: zone != Zone::Code,
                weight,
                text,
            };
            match self.seen.get(&one.text) {
                None => {
                    self.seen.insert(one.text.clone(), self.query.words.len());
                    self.query.words.push(one);
                }
                Some(known) => self.query.words[*known].join(&one),
            }
        }
    }

    /// Code joins adjacent words: "user name" is `user_name` or `UserName`.
    fn read_compounds(&mut self, weight: f64, line: &str) {
        let all: Vec<(usize, &str)> = told_words(line).take(self.left).collect();
        for pair in all.windows(2) {
            let ((first_at, first), (second_at, second)) = (pair[0], pair[1]);
            let between = &line[first_at + first.len()..second_at];
            if !matches!(between, " " | "-") || !is_plain(first) || !is_plain(second) {
                continue;
            }
            let joined = whole(&format!("{first}{second}"));
            let known = self.compounds.entry(joined).or_default();
            *known = known.max(weight);
        }
    }

    /// Reads paths, places and dotted names, which are separated by whitespace, quotes or brackets.
    fn read_tokens(&mut self, line: &str, previous: &str) {
        let depth = self.query.places.len() as u32;
        let is_separator = |c: char| {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | '{' | '}' | '=' | '|')
        };
        for token in line.split(is_separator) {
            let token = token.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?' | '*' | '-' | '#'));
            if token.len() < 3 || token.len() > 300 {
                continue;
            }
            let token = linked_path(token).unwrap_or(token);
            match parse_place(token) {
                Some(place) => {
                    let function = function_of_frame(line, previous);
                    self.query.places.push(Place { depth, function, ..place });
                }
                None if is_path(token) => self.query.paths.push(token.to_string()),
                None => self.query.qualified.extend(parse_qualified(token)),
            }
        }
        self.frames.extend(parse_python_frame(line));
        let spelled = parse_spelled_frame(line);
        let function = function_of_frame(line, previous);
        self.query.places.extend(spelled.map(|place| Place { depth, function, ..place }));
    }

    fn read_quotations(&mut self, line: &str) {
        let inside = quotations(line).into_iter().map(|range| &line[range]);
        let long = inside.filter(|text| text.len() <= 200 && words(text).count() > 1 && text.contains(' '));
        self.query.quotations.extend(long.map(|text| text.trim().to_string()));
    }

    fn finish(mut self, weights: &Weights) -> Query {
        let frames = self.frames.drain(..).rev().enumerate();
        self.query.places.extend(frames.map(|(depth, frame)| Place { depth: depth as u32, ..frame }));
        for (word, (most, sum)) in &self.sums {
            let number = word.bytes().all(|byte| byte.is_ascii_digit());
            let weight = sum.min(most * MOST_REPEATED).sqrt() * most.sqrt() * if number { NUMBER } else { 1.0 };
            let terms = self.analyser.terms(word);
            for term in terms {
                let known = self.query.terms.entry(term).or_default();
                *known = known.max(weight);
            }
        }
        self.add_compounds(weights.compound);
        let query = &mut self.query;
        query.paths.sort();
        query.paths.dedup();
        query.places.sort();
        query.places.dedup();
        query.qualified.sort();
        query.qualified.dedup();
        query.quotations.sort();
        query.quotations.dedup();
        self.query
    }

    /// Adds joined words as terms, and also without a plural `s`: "user names" matches `user_name`.
    fn add_compounds(&mut self, share: f64) {
        for (compound, weight) in &self.compounds {
            for name in [compound.as_str()].into_iter().chain(compound.strip_suffix('s')) {
                let known = self.query.terms.entry(name.to_string()).or_default();
                *known = known.max(weight * share);
            }
        }
    }
}

/// The words of a line without those that only belong to a contraction. Scripts without spaces are written beside
/// Latin letters without a border: `cookieの期限` is two words.
fn told_words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let told = words(line).filter(|(at, word)| !is_contracted(line, *at..at + word.len()));
    told.flat_map(|(at, word)| scripts(word).into_iter().map(move |(start, part)| (at + start, part)))
}

/// Splits a word between scripts with and without spaces.
fn scripts(word: &str) -> Vec<(usize, &str)> {
    if word.is_ascii() {
        return vec![(0, word)];
    }
    let chars = || word.char_indices();
    let borders = chars().zip(chars().skip(1)).filter(|((_, a), (_, b))| is_unspaced(*a) != is_unspaced(*b));
    let starts: Vec<usize> = [0].into_iter().chain(borders.map(|(_, (at, _))| at)).chain([word.len()]).collect();
    starts.windows(2).map(|pair| (pair[0], &word[pair[0]..pair[1]])).collect()
}

/// Removes URLs from a line, because the words of a host name are not part of the question.
fn without_links(line: &str) -> String {
    let mut plain = line.to_string();
    while let Some(at) = plain.find("://") {
        let start = plain[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
        let length = plain[at..].find(|c: char| c.is_whitespace() || ")]>\"'`".contains(c)).unwrap_or(plain.len() - at);
        plain.replace_range(start..at + length, "");
    }
    plain
}

/// The byte ranges that are enclosed in backticks.
fn backtick_ranges(line: &str) -> Vec<std::ops::Range<usize>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Whether a word has only letters, and enough of them to be half of a name.
fn is_plain(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a word is written as a sentence would not write it: several parts, or letters and digits.
pub fn looks_like_code(word: &str) -> bool {
    let word = word.trim_matches('_');
    word.len() > 2 && (word.contains('_') || parts(word).len() > 1) && word.contains(|c: char| c.is_alphabetic())
}

/// The last two names of `a.b`, `a::b`, `a#b` and `a->b`.
fn parse_qualified(token: &str) -> Option<(String, String)> {
    if token.contains("://") {
        return None;
    }
    let names: Vec<&str> = token.split(['.', ':', '#', '>', '-', '/']).filter(|name| !name.is_empty()).collect();
    let is_name = |name: &&str| {
        name.len() > 1
            && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
            && !name.starts_with(|c: char| c.is_numeric())
    };
    let joined = token.contains(['.', '#']) || token.contains("::") || token.contains("->");
    match names.as_slice() {
        [.., owner, name] if joined && is_name(owner) && is_name(name) => Some((owner.to_string(), name.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Query {
        Query::parse(text, &Weights::default())
    }

    #[test]
    fn a_title_weighs_more_than_code_and_code_more_than_a_trace() {
        let query = parse("Parser fails\n\n```\nsome output\nat somewhere else\n```\n");
        let weight = |term: &str| query.terms[term];
        assert!(weight("parser") > weight("output") && weight("output") > weight("somewher"));
    }

    #[test]
    fn names_are_what_looks_like_code_or_is_marked() {
        let query = parse("Calling `run` and get_name() or HTTPServer breaks plain words");
        assert_eq!(query.names.keys().collect::<Vec<_>>(), ["HTTPServer", "get_name", "run"]);
    }

    #[test]
    fn paths_places_and_qualified_names_are_found() {
        let query =
            parse("see src/a.rs:12 and lib/b.py, Parser.run or a::Parser::stop\n  File \"x/y.py\", line 7, in f");
        assert_eq!(query.paths, ["lib/b.py", "x/y.py"]);
        let place = |path: &str, line, function: Option<&str>| Place {
            path: path.to_string(),
            line,
            depth: 0,
            function: function.map(str::to_string),
        };
        assert_eq!(query.places, [place("src/a.rs", 12, None), place("x/y.py", 7, Some("f"))]);
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(query.qualified, [pair("Parser", "run"), pair("Parser", "stop")]);
    }

    #[test]
    fn a_link_names_a_place_and_no_words() {
        let query = parse("see https://example.org/o/r/blob/main/src/a.rs#L12-L14 there");
        assert_eq!(query.places, [Place { path: "src/a.rs".to_string(), line: 12, ..Place::default() }]);
        assert!(!query.terms.contains_key("exampl") && !query.terms.contains_key("http"));
    }

    #[test]
    fn the_innermost_frame_comes_last_in_python() {
        let query = parse("x\n  File \"a.py\", line 1, in f\n  File \"b.py\", line 2, in g\n");
        assert_eq!(query.places.iter().map(|place| place.depth).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn words_side_by_side_are_one_name_too() {
        let query = parse("how are user names kept, and HTTP-headers");
        let has = |term: &str| query.terms.contains_key(term);
        assert!(has("username") && has("usernames") && has("httpheader"));
        assert!(!has("keptand"), "a comma stands between them");
        assert!(query.terms["username"] < query.terms["user"]);
    }

    #[test]
    fn templates_say_nothing() {
        let query = parse("Crash\n### Steps to reproduce\n<!-- please describe -->\n- [x] searched\n");
        assert_eq!(query.terms.keys().collect::<Vec<_>>(), ["crash"]);
    }

    #[test]
    fn quotations_have_several_words() {
        let query = parse("it says \"cannot open file\" and 'x'");
        assert_eq!(query.quotations, ["cannot open file"]);
    }

    #[test]
    fn an_apostrophe_neither_quotes_nor_is_a_word() {
        let query = parse("it doesn't pick up the user's changes, isn't it");
        assert!(query.quotations.is_empty(), "{:?}", query.quotations);
        assert_eq!(query.terms.keys().filter(|term| term.len() < 5).collect::<Vec<_>>(), ["pick", "user"]);
    }

    #[test]
    fn scripts_without_spaces_end_a_word() {
        let query = parse("cookieの有効期限はTTLで決まる");
        let words: Vec<&str> = query.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(words, ["cookie", "の有効期限は", "TTL", "で決まる"]);
        assert!(query.terms.contains_key("cooki") && query.terms.contains_key("ttl"));
    }

    #[test]
    fn words_are_kept_as_they_are_written() {
        let query = parse("Why is `run` slow?\nIt says ERR_LOCKED\n    let other_name = 1\n");
        let of = |text: &str| query.words.iter().find(|word| word.text == text).expect(text);
        assert!(of("run").is_name && of("run").is_title && !of("slow").is_name);
        assert!(of("ERR_LOCKED").is_name && of("ERR_LOCKED").is_prose && !of("ERR_LOCKED").is_title);
        assert!(of("other_name").is_name && !of("other_name").is_prose);
    }
}
