//! From captures to facts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU16;

use rustc_hash::FxHashSet;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryCursorState, QueryMatch, StreamingIterator, Tree};

use super::Steps;
use super::names::{Names, argument_nodes};
use super::query::{FactsQuery, Settings, Tag};
use super::scopes::Scopes;
use super::trim::without_following_comments;
use crate::language::facts::{Definition, Embedded, Facts, Held, Mention, Param, ParseFailure};
use crate::record::{Binding, Cut, Kind, Role};
use crate::text::Span;

/// The cursor asks every hundred steps whether to go on; see [`super::Steps`].
pub fn facts<'t>(query: &FactsQuery, tree: &Tree, text: &'t str) -> Result<Facts<'t>, ParseFailure> {
    let mut captured = Captured { text, value_field: query.value_field, ..Captured::default() };
    let mut steps = Steps::new(5_000 + text.len());
    {
        let mut progress = |_: &QueryCursorState| steps.take();
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches_with_options(&query.query, tree.root_node(), text.as_bytes(), options);
        while let Some(found) = matches.next() {
            captured.take(query, found);
        }
    }
    if steps.are_gone() { Err(ParseFailure::Limit) } else { Ok(captured.facts()) }
}

/// All that the query captured, sorted by what it is.
#[derive(Default)]
struct Captured<'t, 'n> {
    text: &'t str,
    value_field: Option<NonZeroU16>,
    definitions: Vec<RawDefinition<'n>>,
    calls: Vec<RawCall<'n>>,
    references: Vec<(Role, Node<'n>, Option<Node<'n>>)>,
    bindings: Vec<(Role, Span, Mention<'t>)>,
    parameters: Vec<RawLocal<'n>>,
    locals: Vec<RawLocal<'n>>,
    scopes: Vec<Span>,
    comments: Vec<Span>,
    prefixes: Vec<Span>,
    embedded: Vec<Embedded<'t>>,
    package: Option<Cow<'t, str>>,
}

struct RawDefinition<'n> {
    /// Where two patterns fit one definition, the one that stands first in the query names its kind.
    pattern: usize,
    kind: Kind,
    span: Span,
    name: Option<Span>,
    body: Option<Span>,
    value_type: Option<Span>,
    value: Option<Node<'n>>,
    container: Option<Span>,
    exported: bool,
    private: bool,
    doc: Option<Span>,
}

pub struct RawCall<'n> {
    pub span: Span,
    pub name: Span,
    pub receiver: Option<Node<'n>>,
    pub arguments: Option<Vec<Node<'n>>>,
    /// No local has its name.
    pub apart: bool,
}

#[derive(Clone)]
struct RawLocal<'n> {
    name: Span,
    value_type: Option<Span>,
    value: Option<Node<'n>>,
    /// The list that it is one of, in a loop.
    elements: Option<Node<'n>>,
}

/// How strongly an import and an export claim their place.
const IMPORT: u8 = 1;
const EXPORT: u8 = 2;

/// What a place was captured as. Only the strongest claim to each place becomes a mention.
struct Claim {
    span: Span,
    rank: u8,
    /// It has no receiver, or no name.
    is_bare: bool,
    place: Place,
}

/// A position in one of the lists of captures.
#[derive(Clone, Copy)]
enum Place {
    /// No mention: a definition, a parameter or a local.
    Nothing,
    Binding(usize),
    Call(usize),
    Reference(usize),
}

/// The captures of one match, for look-up by tag.
struct Parts<'n>(Vec<(Tag, Node<'n>)>);

impl<'n> Parts<'n> {
    fn get(&self, wanted: Tag) -> Option<Node<'n>> {
        self.0.iter().find(|(tag, _)| *tag == wanted).map(|(_, node)| *node)
    }

    fn last(&self, wanted: Tag) -> Option<Node<'n>> {
        self.0.iter().rfind(|(tag, _)| *tag == wanted).map(|(_, node)| *node)
    }

    fn span(&self, wanted: Tag) -> Option<Span> {
        self.get(wanted).map(span)
    }

    /// From the first node with this tag to the last: a path that has no node of its own.
    fn whole(&self, wanted: Tag) -> Option<Span> {
        let all = self.0.iter().filter(|(tag, _)| *tag == wanted).map(|(_, node)| span(*node));
        all.reduce(|first, next| Span { start: first.start.min(next.start), end: first.end.max(next.end) })
    }

    fn has(&self, wanted: Tag) -> bool {
        self.get(wanted).is_some()
    }
}

pub fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

impl<'t, 'n> Captured<'t, 'n> {
    fn take(&mut self, query: &FactsQuery, found: &QueryMatch<'_, 'n>) {
        let tagged = found.captures().iter().filter_map(|capture| Some((query.tag(capture.index)?, capture.node)));
        let parts = Parts(tagged.collect());
        let settings = query.settings(found.pattern_index);
        for (tag, node) in &parts.0 {
            match tag {
                Tag::Definition(kind) => self.take_definition(found.pattern_index, *kind, *node, &parts),
                Tag::Call => self.take_call(*node, &parts, settings),
                Tag::Reference(role) => self.references.push((*role, *node, parts.get(Tag::Receiver))),
                Tag::Import => self.take_binding(Role::Import, &parts, settings),
                Tag::Export => self.take_binding(Role::Export, &parts, settings),
                Tag::Parameter => self.parameters.push(raw_local(*node, &parts)),
                Tag::Local => self.take_local(*node, &parts),
                Tag::Scope => self.scopes.push(trimmed(span(*node), self.text)),
                Tag::Comment => self.comments.push(trimmed(span(*node), self.text)),
                Tag::Prefix => self.prefixes.push(trimmed(span(*node), self.text)),
                Tag::Package => self.package = Some(span(*node).text(self.text).into()),
                Tag::Embedded => self.take_embedded(*node, &parts, settings),
                _ => {}
            }
        }
    }

    fn take_definition(&mut self, pattern: usize, kind: Kind, node: Node<'n>, parts: &Parts<'n>) {
        self.definitions.push(RawDefinition {
            pattern,
            kind,
            span: trimmed(span(node), self.text),
            name: parts.get(Tag::Name).map(|name| name_span(name, kind, self.text)),
            body: parts.span(Tag::Body),
            value_type: parts.span(Tag::Type),
            value: parts.get(Tag::Value),
            container: parts.span(Tag::Container),
            exported: parts.has(Tag::Exported),
            private: parts.has(Tag::Private),
            doc: parts.span(Tag::Doc),
        });
    }

    fn take_local(&mut self, name: Node<'n>, parts: &Parts<'n>) {
        let mut local = raw_local(name, parts);
        // A keyword in the place of a type is not a type.
        local.value_type =
            local.value_type.filter(|span| !matches!(span.text(self.text), "auto" | "var" | "const auto"));
        self.locals.push(local);
    }

    fn take_call(&mut self, node: Node<'n>, parts: &Parts<'n>, settings: &Settings) {
        if let Some(name) = parts.span(Tag::Name) {
            let (receiver, arguments) = (parts.get(Tag::Receiver), parts.get(Tag::Arguments).map(argument_nodes));
            self.calls.push(RawCall { span: span(node), name, receiver, arguments, apart: settings.apart });
        }
    }

    fn take_binding(&mut self, role: Role, parts: &Parts<'n>, settings: &Settings) {
        let text = |tag| parts.whole(tag).map(|span| unquoted(without_colon(span, self.text).text(self.text)));
        let module = self.module(parts, settings);
        let name = text(Tag::Name).or(settings.name.as_deref().map(|name| name.to_string().into()));
        let alias = text(Tag::Alias);
        let site = [Tag::Alias, Tag::Name].iter().find_map(|tag| parts.whole(*tag));
        let Some(site) = site.or_else(|| parts.last(Tag::Module).map(span)) else { return };
        let bound = alias.clone().or_else(|| name.clone().filter(|name| name != "*"));
        let is_included = settings.style.as_ref().is_some_and(|style| style.starts_with("include"));
        let bound = bound.or_else(|| module.as_ref().map(|module| last_part(module, is_included)));
        let mut mention = Mention::new(role, bound.or_else(|| name.clone()).unwrap_or_default(), site);
        mention.binding = Some(Binding {
            module: module.map(Cow::into_owned),
            name: name.map(Cow::into_owned),
            alias: alias.map(Cow::into_owned),
            style: settings.style.clone(),
        });
        self.bindings.push((role, site, mention));
    }

    /// Nested imports write a module in pieces, outermost first.
    fn module(&self, parts: &Parts<'n>, settings: &Settings) -> Option<Cow<'t, str>> {
        let Some(separator) = settings.join.as_deref() else {
            return parts.whole(Tag::Module).map(|span| unquoted(without_colon(span, self.text).text(self.text)));
        };
        let pieces = parts.0.iter().filter(|(tag, _)| *tag == Tag::Module);
        let mut pieces = pieces.map(|(_, node)| unquoted(span(*node).text(self.text)));
        let first = pieces.next()?;
        Some(pieces.fold(first, |whole, piece| format!("{whole}{separator}{piece}").into()))
    }

    fn take_embedded(&mut self, node: Node<'n>, parts: &Parts<'n>, settings: &Settings) {
        let named = parts.span(Tag::Language).map(|span| unquoted(span.text(self.text)));
        if let Some(language) = named.or(settings.language.clone().map(Cow::Owned)) {
            self.embedded.push(Embedded { span: span(node), language });
        }
    }

    fn facts(mut self) -> Facts<'t> {
        // Walks from comment to comment go on only where each takes up room.
        self.comments.retain(|comment| !comment.is_empty());
        self.comments.sort();
        let mut definitions = merged(std::mem::take(&mut self.definitions));
        for raw in &mut definitions {
            raw.span = without_following_comments(raw.span, &self.comments, self.text);
            raw.body = raw.body.map(|body| Span { start: body.start, end: body.end.min(raw.span.end).max(body.start) });
        }
        for scope in &mut self.scopes {
            *scope = without_following_comments(*scope, &self.comments, self.text);
        }
        let definitions = self.without_locals(definitions);
        let callable = definitions.iter().filter(|definition| definition.kind.is_callable());
        self.scopes.extend(callable.map(|definition| definition.span));
        let names = self.bind_locals();
        let mut facts = Facts { mentions: self.mentions(&definitions, &names), ..Facts::default() };
        facts.definitions = definitions.iter().filter_map(|raw| self.definition(raw, &names)).collect();
        self.attach_parameters(&mut facts.definitions, &names);
        facts.comments = self.comments;
        facts.prefixes = self.prefixes;
        facts.embedded = self.embedded;
        facts.package = self.package;
        facts
    }

    /// Some grammars declare a global and a local alike. What is captured as both is a definition
    /// outside of functions and a local inside.
    fn without_locals(&self, mut definitions: Vec<RawDefinition<'n>>) -> Vec<RawDefinition<'n>> {
        let locals: FxHashSet<Span> = self.locals.iter().map(|local| local.name).collect();
        let callable = definitions.iter().filter(|definition| definition.kind.is_callable());
        let callables = Scopes::new(callable.map(|definition| definition.span).collect());
        definitions.retain(|definition| {
            let before = definition.span.start.saturating_sub(1);
            let inside = || callables.around(before).is_some_and(|outer| outer.contains(definition.span));
            let declared = matches!(definition.kind, Kind::Variable | Kind::Function);
            !(declared && definition.name.is_some_and(|name| locals.contains(&name)) && inside())
        });
        definitions
    }

    fn bind_locals(&self) -> Names<'t> {
        let mut names = Names::new(self.text, &self.calls, self.scopes.clone(), self.value_field);
        for raw in &self.parameters {
            let (name, value_type) = (raw.name.text(self.text), names.type_text(raw.value_type));
            names.scopes.bind(name, raw.name.start, None, Held::parameter(name, value_type));
        }
        let parameters: FxHashSet<Span> = self.parameters.iter().map(|raw| raw.name).collect();
        for raw in merged_locals(&self.locals).iter().filter(|raw| !parameters.contains(&raw.name)) {
            let held = raw.value.map_or_else(Held::default, |value| names.held(value));
            let turn = || names.turn(raw.elements?);
            let value_type = names.type_text(raw.value_type).or(held.value_type).or_else(turn);
            let value_end = raw.value.map(|value| value.end_byte() as u32);
            let held = Held { source: held.source, value_type };
            names.scopes.bind(raw.name.text(self.text), raw.name.start, value_end, held);
        }
        names
    }

    fn mentions(&self, definitions: &[RawDefinition<'n>], names: &Names<'t>) -> Vec<Mention<'t>> {
        // A place is said once, in its strongest role; of two equal ones, the one with a receiver. Only
        // what is passed on, as by `pub use`, is both imported and exported.
        let mut claims = self.claims(definitions);
        claims.sort_by_key(|claim| (claim.span, claim.rank, claim.is_bare));
        claims.dedup_by(|later, first| later.span == first.span && (first.rank, later.rank) != (IMPORT, EXPORT));
        let mut mentions: Vec<_> = claims.iter().filter_map(|claim| self.mention(claim.place, names)).collect();
        // The head of a definition may look like a call, as in Elixir; nothing flows into it.
        let defined: FxHashSet<Span> = definitions.iter().filter_map(|definition| definition.name).collect();
        for call in self.calls.iter().filter(|call| !defined.contains(&call.name)) {
            names.flows(call, &mut mentions);
        }
        mentions
    }

    /// Every place with what it was captured as.
    fn claims(&self, definitions: &[RawDefinition<'n>]) -> Vec<Claim> {
        let is_bare = |name: Span, receiver: Option<Node>| receiver.is_none() || name.text(self.text).is_empty();
        let nothing = |span| Claim { span, rank: 0, is_bare: true, place: Place::Nothing };
        let mut claims: Vec<Claim> = Vec::new();
        claims.extend(definitions.iter().filter_map(|definition| definition.name.map(nothing)));
        claims.extend(self.parameters.iter().chain(&self.locals).map(|local| nothing(local.name)));
        claims.extend(self.bindings.iter().enumerate().map(|(at, (role, span, _))| {
            let rank = if *role == Role::Import { IMPORT } else { EXPORT };
            Claim { span: *span, rank, is_bare: true, place: Place::Binding(at) }
        }));
        claims.extend(self.calls.iter().enumerate().map(|(at, call)| {
            let is_bare = is_bare(call.name, call.receiver);
            Claim { span: call.name, rank: 3, is_bare, place: Place::Call(at) }
        }));
        claims.extend(self.references.iter().enumerate().map(|(at, (role, node, receiver))| {
            let span = span(*node);
            Claim { span, rank: rank(*role), is_bare: is_bare(span, *receiver), place: Place::Reference(at) }
        }));
        claims
    }

    fn mention(&self, place: Place, names: &Names<'t>) -> Option<Mention<'t>> {
        match place {
            Place::Nothing => None,
            Place::Binding(at) => Some(self.bindings[at].2.clone()),
            Place::Call(at) => names.call_mention(&self.calls[at]),
            Place::Reference(at) => {
                let (role, node, receiver) = self.references[at];
                names.name_mention(role, node, receiver)
            }
        }
    }

    fn definition(&self, raw: &RawDefinition<'n>, names: &Names<'t>) -> Option<Definition<'t>> {
        let name = raw.name?;
        let word = on_one_line(unquoted(name.text(self.text)));
        if word.is_empty() {
            return None;
        }
        let mut definition = Definition::new(raw.kind, word, name, raw.span);
        definition.body = raw.body;
        definition.doc = raw.doc;
        definition.exported = raw.exported;
        definition.private = raw.private;
        definition.container = raw.container.map(|container| container.text(self.text).into()).into_iter().collect();
        let from_call = || {
            let value = names.unwrapped(raw.value?, |node| names.calls.contains_key(&span(node)));
            Held::call(names.calls.get(&span(value))?.clone()).receiver_type()
        };
        if raw.kind.cut() != Cut::Members {
            definition.value_type = names.type_text(raw.value_type).or_else(from_call);
        }
        Some(definition)
    }

    /// Gives each parameter to the definition whose signature it stands in.
    fn attach_parameters(&self, definitions: &mut [Definition<'t>], names: &Names<'t>) {
        let by_span: BTreeMap<Span, usize> =
            definitions.iter().enumerate().filter(|(_, d)| d.kind.is_callable()).map(|(at, d)| (d.span, at)).collect();
        for raw in &self.parameters {
            let Some(definition) = names.scopes.around(raw.name.start).and_then(|scope| by_span.get(&scope)) else {
                continue;
            };
            let definition = &mut definitions[*definition];
            if definition.body.is_none_or(|body| raw.name.start < body.start) {
                let name = raw.name.text(self.text).into();
                definition.parameters.push(Param { name, value_type: names.type_text(raw.value_type) });
            }
        }
    }
}

/// One definition for all the patterns that fit it.
fn merged(mut raw: Vec<RawDefinition<'_>>) -> Vec<RawDefinition<'_>> {
    raw.sort_by_key(|definition| (definition.span, definition.name.is_none(), definition.name, definition.pattern));
    let mut all: Vec<RawDefinition> = Vec::new();
    for next in raw {
        let nameless = next.name.is_none();
        let mut joined = false;
        for known in all.iter_mut().rev().take_while(|known| known.span == next.span) {
            if nameless || known.name == next.name {
                known.body = known.body.or(next.body);
                known.value_type = known.value_type.or(next.value_type);
                known.value = known.value.or(next.value);
                known.container = known.container.or(next.container);
                known.doc = known.doc.or(next.doc);
                known.exported |= next.exported;
                known.private |= next.private;
                joined = true;
            }
        }
        if !joined && !nameless {
            all.push(next);
        }
    }
    all
}

/// One local for all the patterns that fit its name, in the order of the text.
fn merged_locals<'n>(raw: &[RawLocal<'n>]) -> Vec<RawLocal<'n>> {
    let mut all = raw.to_vec();
    all.sort_by_key(|local| local.name);
    all.dedup_by(|later, first| {
        let same = later.name == first.name;
        if same {
            first.value_type = first.value_type.or(later.value_type);
            first.value = first.value.or(later.value);
            first.elements = first.elements.or(later.elements);
        }
        same
    });
    all
}

fn raw_local<'n>(name: Node<'n>, parts: &Parts<'n>) -> RawLocal<'n> {
    RawLocal {
        name: span(name),
        value_type: parts.span(Tag::Type),
        value: parts.get(Tag::Value),
        elements: parts.get(Tag::Elements),
    }
}

/// What a name is that stands in several roles: a base is also a type, and a type also a use.
fn rank(role: Role) -> u8 {
    match role {
        Role::Inherit => 4,
        Role::Type => 5,
        _ => 6,
    }
}

/// Without the white space that some grammars keep at a node's end.
fn trimmed(span: Span, text: &str) -> Span {
    Span::new(span.start as usize, span.start as usize + span.text(text).trim_end().len())
}

/// Where a definition's name stands. An operator and a style rule are what they are to the letter: Scala's
/// `:+`, CSS's `:root`. A keyword, as in Elixir's `defstruct name: nil`, comes with its colon and the
/// space behind it.
fn name_span(node: Node, kind: Kind, text: &str) -> Span {
    let whole = span(node);
    if kind == Kind::Rule || node.kind().starts_with("operator") {
        return whole;
    }
    let name = trimmed(whole, text);
    let is_keyword = name != whole && name.text(text).ends_with(':');
    without_colon(Span { start: name.start, end: name.end - u32::from(is_keyword) }, text)
}

/// Without the colon of a symbol that names something, as in Ruby's `attr_reader :name`.
fn without_colon(name: Span, text: &str) -> Span {
    let raw = name.text(text);
    let is_symbol = raw.starts_with(':') && !raw.starts_with("::");
    Span::new(name.start as usize + usize::from(is_symbol), name.end as usize)
}

/// A name or module without its quotes or the angle brackets around it; `operator<`, `<>` and `<|>` keep
/// their own.
fn unquoted(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(['"', '\'', '`', ' ']);
    let inner = text.strip_prefix('<').and_then(|inner| inner.strip_suffix('>'));
    inner.filter(|inner| inner.contains(char::is_alphanumeric)).unwrap_or(text).into()
}

/// A name that goes on over lines, such as a heading or the words of a test, with single spaces.
fn on_one_line(name: Cow<'_, str>) -> Cow<'_, str> {
    if !name.contains(['\n', '\r']) {
        return name;
    }
    name.split_whitespace().collect::<Vec<_>>().join(" ").into()
}

/// The last name of a module, or the stem of a path: `d` of `a.b::d` and of `./a/d.min.js`. A file that
/// is included keeps its ending: it binds no name. A folder is called by its own name.
fn last_part<'t>(module: &str, is_included: bool) -> Cow<'t, str> {
    let module = Some(module.trim_end_matches('/')).filter(|folder| !folder.is_empty()).unwrap_or(module);
    let last = match module.rsplit_once(['/', '\\']) {
        _ if is_included => module.rsplit(['/', '\\']).next(),
        Some((_, file)) => file.trim_start_matches('.').split('.').next(),
        None => module.rsplit(['.', ':']).next(),
    };
    last.unwrap_or_default().to_string().into()
}
