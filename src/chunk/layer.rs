//! The languages of one text: its own, and those of the pieces inside it.

use crate::dialect::{Page, spec};
use crate::language::{Break, Embedded, Facts, Language, Languages, Limits, NameRule, ParseFailure};
use crate::record::{Analysis, LanguageId, Lines, Problem, ProblemCode};
use crate::text::{LineIndex, RepoPath, Span};

use super::{Source, notes};

/// A shorter piece in another language stays in the prose around it.
const MIN_EMBEDDED_LINES: u32 = 3;
/// A page may hold a script, and the script a template; deeper nothing is looked for.
const MAX_LAYERS: usize = 1_000;

/// Whole lines of the text that are in one language, with the facts of those lines.
pub struct Layer<'t> {
    /// 0-based, half-open.
    pub lines: std::ops::Range<u32>,
    pub language: LanguageId,
    pub separator: String,
    pub exported: crate::language::Exported,
    /// A language whose names the graph follows, and no prose.
    pub is_code: bool,
    pub analysis: Analysis,
    pub facts: Facts<'t>,
    /// Lines that belong to a layer inside this one; sorted.
    pub holes: Vec<std::ops::Range<u32>>,
    /// Absent if no dialect knows the text.
    pub page: Option<Page>,
    failure: Option<ParseFailure>,
}

/// The whole text first, then the pieces inside it in their order.
pub fn layers<'t>(source: &Source<'t>, languages: &Languages, limits: &Limits, index: &LineIndex) -> Vec<Layer<'t>> {
    let all = 0..index.line_count();
    let mut layers = vec![match notes::read(source, limits) {
        Some((facts, page)) => Layer { page: Some(page), ..parsed_layer(facts, all, source.language) },
        None => layer(source.text, 0, all, source.language, limits),
    }];
    let embedded = std::mem::take(&mut layers[0].facts.embedded);
    for piece in embedded.iter().take(MAX_LAYERS) {
        let Some((lines, language)) = whole_lines(piece, languages, index) else { continue };
        if layers[0].holes.last().is_some_and(|hole| lines.start < hole.end) {
            continue;
        }
        let span = super::lines_span(lines.start, lines.end, index);
        layers[0].holes.push(lines.clone());
        layers.push(layer(span.text(source.text), span.start, lines, Some(language), limits));
    }
    layers
}

fn layer<'t>(
    text: &'t str,
    offset: u32,
    lines: std::ops::Range<u32>,
    language: Option<&Language>,
    limits: &Limits,
) -> Layer<'t> {
    let page = language.filter(|language| language.id() == "markdown").and_then(|_| spec::read(text));
    let parsed = language.filter(|language| language.has_grammar());
    let parsed = parsed.map(|language| facts(language, text, page.as_ref(), limits));
    let (facts, failure) = match parsed {
        Some(Ok(facts)) => return Layer { page, ..parsed_layer(facts.shifted(offset), lines, language) },
        Some(Err(failure)) => (line_facts(text), Some(failure)),
        None => (line_facts(text), None),
    };
    let facts = facts.shifted(offset);
    Layer { analysis: Analysis::Lines, page, failure, ..parsed_layer(facts, lines, language) }
}

/// A layer of facts that a parse gave.
fn parsed_layer<'t>(facts: Facts<'t>, lines: std::ops::Range<u32>, language: Option<&Language>) -> Layer<'t> {
    Layer {
        lines,
        language: language.map_or("text", Language::id).into(),
        separator: language.map_or(".", |language| &language.rule.separator).to_string(),
        is_code: language.map(|language| &language.rule.names).is_some_and(NameRule::is_code),
        exported: language.map(|language| language.rule.exported).unwrap_or_default(),
        analysis: if facts.errors.is_empty() { Analysis::Parsed } else { Analysis::Recovered },
        facts,
        holes: Vec::new(),
        page: None,
        failure: None,
    }
}

/// What the language says of the text, and what the dialects add to it.
fn facts<'t>(
    language: &Language,
    text: &'t str,
    page: Option<&Page>,
    limits: &Limits,
) -> Result<Facts<'t>, ParseFailure> {
    let mut facts = language.parse(text, limits)?;
    if let Some(page) = page.filter(|_| facts.may_have_front_matter) {
        spec::annotate(page, text, &mut facts);
    }
    Ok(facts)
}

/// The lines that are wholly inside an embedded piece, if they are enough and their language is known.
fn whole_lines<'l>(
    piece: &Embedded,
    languages: &'l Languages,
    index: &LineIndex,
) -> Option<(std::ops::Range<u32>, &'l Language)> {
    let language = languages.named(&piece.language).filter(|language| language.has_grammar())?;
    let first = index.line(piece.span.start);
    let first = first + u32::from(index.start(first) < piece.span.start);
    let last = index.line(piece.span.end);
    let behind = if index.start(last + 1) <= piece.span.end { last + 1 } else { last };
    let blank = |line: &u32| index.is_blank(*line);
    let first = (first..behind).find(|line| !blank(line))?;
    let behind = (first..behind).rev().find(|line| !blank(line))? + 1;
    (behind - first >= MIN_EMBEDDED_LINES).then_some((first..behind, language))
}

/// Where a text without structure may be cut: best behind a blank line, else before a line that
/// is not indented.
fn line_facts<'t>(text: &str) -> Facts<'t> {
    let mut facts = Facts::default();
    let (mut offset, mut after_blank) = (0u32, true);
    for line in text.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        let indented = line.starts_with([' ', '\t']);
        if !blank && (after_blank || !indented) {
            let depth = u16::from(!after_blank) + u16::from(indented);
            let indent = line.len() - line.trim_start().len();
            facts.breaks.push(Break { offset: offset + indent as u32, depth });
        }
        after_blank = blank;
        offset += line.len() as u32;
    }
    facts
}

/// What could not be parsed, and where the first error is.
pub fn problems(layers: &[Layer], path: &RepoPath, index: &LineIndex) -> Vec<Problem> {
    let failed = layers.iter().filter_map(|layer| {
        let (code, message) = match layer.failure? {
            ParseFailure::TooDeep => (ProblemCode::TooDeep, "nested too deep to parse; cut by lines"),
            ParseFailure::Limit => (ProblemCode::ParseLimit, "the parse took too many steps; cut by lines"),
        };
        let mut problem = Problem::new(path, code, message);
        problem.lines = Some(Lines { start: layer.lines.start + 1, end: layer.lines.end });
        Some(problem)
    });
    // Code in prose is often an excerpt that does not parse by itself; that is not a problem worth reporting.
    let errors = layers.first().and_then(|layer| {
        let first: Span = *layer.facts.errors.first()?;
        let count = layer.facts.errors.len();
        let message = format!("{count} syntax {}; the rest was analysed", if count == 1 { "error" } else { "errors" });
        let mut problem = Problem::new(path, ProblemCode::Syntax, message);
        problem.lines = Some(Lines::from_span(first, index));
        Some(problem)
    });
    let complaints = layers.iter().flat_map(|layer| &layer.facts.complaints).map(|complaint| {
        let lines = Some(Lines::from_span(complaint.span, index));
        Problem { lines, ..Problem::new(path, complaint.code, &complaint.message) }
    });
    failed.chain(errors).chain(complaints).collect()
}
