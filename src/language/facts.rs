//! What one parse says of a text, in words that no language owns.
//!
//! A front end fills this in; the chunk stage alone turns it into records. Order does not matter:
//! [`Facts::settle`] sorts.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::record::{Binding, Flow, FlowSource, Kind, ProblemCode, Role};
use crate::text::Span;

#[derive(Debug, Default)]
pub struct Facts<'t> {
    pub definitions: Vec<Definition<'t>>,
    pub mentions: Vec<Mention<'t>>,
    /// Comments, each a whole one; those right above a definition become its doc.
    pub comments: Vec<Span>,
    /// Attributes and the like that belong to the definition below them without being its doc.
    pub prefixes: Vec<Span>,
    /// Places at which a text that is too long may be cut.
    pub breaks: Vec<Break>,
    /// Pieces in another language.
    pub embedded: Vec<Embedded<'t>>,
    /// The package or namespace that the whole file declares.
    pub package: Option<Cow<'t, str>>,
    /// Where syntax errors were found; the facts hold around them.
    pub errors: Vec<Span>,
    /// Whether the language allows front matter before the text. Dialects read it and add to these facts.
    pub may_have_front_matter: bool,
    /// What a reader should know of what a dialect found.
    pub complaints: Vec<Complaint>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub code: ProblemCode,
    pub span: Span,
    pub message: String,
}

#[derive(Clone, Debug)]
pub struct Definition<'t> {
    pub kind: Kind,
    pub name: Cow<'t, str>,
    /// What makes its symbol, if that is not its name and the names around it. Unique in its file.
    pub key: Option<Cow<'t, str>>,
    /// Whether it stays in the chunk around it, whatever its kind is.
    pub is_inline: bool,
    /// The text of its chunk, where that is made from the file's text and is not a part of it.
    pub derived_text: Option<Cow<'t, str>>,
    pub name_span: Span,
    /// The whole definition, decorators included, comments above it not.
    pub span: Span,
    /// From where on it is not signature any more; absent when all of it is.
    pub body: Option<Span>,
    /// The names around it, outermost first, where nesting in the text does not show them: the type
    /// of a Rust `impl`, the receiver of a Go method, the headings above a section.
    pub container: Vec<Cow<'t, str>>,
    /// Marked as visible to other files; the language's table says whether a mark is needed.
    pub exported: bool,
    /// Marked as hidden from them.
    pub private: bool,
    /// A doc that stands inside the definition, such as Python's docstring, with its quotes.
    pub doc: Option<Span>,
    /// See [`crate::record::Symbol::value_type`].
    pub value_type: Option<Cow<'t, str>>,
    pub parameters: Vec<Param<'t>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param<'t> {
    pub name: Cow<'t, str>,
    pub value_type: Option<Cow<'t, str>>,
}

/// A name used at one place. The fields are those of [`crate::record::Reference`].
#[derive(Clone, Debug)]
pub struct Mention<'t> {
    pub role: Role,
    pub name: Cow<'t, str>,
    pub span: Span,
    pub receiver: Option<Cow<'t, str>>,
    pub receiver_type: Option<Cow<'t, str>>,
    pub arguments: Option<u32>,
    pub binding: Option<Binding>,
    pub flow: Option<Flow>,
}

/// The start of a statement or of another whole thing, and how deep it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Break {
    pub offset: u32,
    /// The text is cut at the shallowest breaks that make the pieces small enough.
    pub depth: u16,
}

#[derive(Clone, Debug)]
pub struct Embedded<'t> {
    pub span: Span,
    /// The word that names the language: an id, or what a fence or a script tag says.
    pub language: Cow<'t, str>,
}

/// A parse that was given up; the text is cut by lines and a problem says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseFailure {
    /// Nested deeper than the parser may follow.
    TooDeep,
    /// More steps than a text of this length may take.
    Limit,
}

/// A call, as far as the flow of values needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTarget<'t> {
    pub name: Cow<'t, str>,
    pub receiver: Option<Cow<'t, str>>,
}

/// What a local name holds: where its value comes from and what it is, as far as the function shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held<'t> {
    pub source: Option<HeldSource<'t>>,
    /// A type as written: the annotation, or the type that a literal or `new` names.
    pub value_type: Option<Cow<'t, str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldSource<'t> {
    Parameter(Cow<'t, str>),
    Call(CallTarget<'t>),
}

impl<'t> Held<'t> {
    pub fn parameter(name: impl Into<Cow<'t, str>>, value_type: Option<Cow<'t, str>>) -> Self {
        Held { source: Some(HeldSource::Parameter(name.into())), value_type }
    }

    pub fn call(target: CallTarget<'t>) -> Self {
        Held { source: Some(HeldSource::Call(target)), value_type: None }
    }

    /// What [`Mention::receiver_type`] says of a receiver that holds this.
    pub fn receiver_type(&self) -> Option<Cow<'t, str>> {
        match (&self.value_type, &self.source) {
            (Some(value_type), _) => Some(value_type.clone()),
            (None, Some(HeldSource::Call(CallTarget { name, receiver }))) => match receiver.as_deref() {
                None => Some(format!("{name}()").into()),
                Some(UNKNOWN) => None,
                Some(receiver) => Some(format!("{receiver}.{name}()").into()),
            },
            (None, _) => None,
        }
    }

    /// The flow of this value into an argument, or into the receiver when there is no position.
    pub fn flow(&self, argument: Option<u32>) -> Option<Flow> {
        let (source, name, receiver) = match self.source.as_ref()? {
            HeldSource::Parameter(name) => (FlowSource::Parameter, name, None),
            HeldSource::Call(CallTarget { name, receiver }) => (FlowSource::Call, name, receiver.as_deref()),
        };
        Some(Flow { source, name: name.to_string(), receiver: receiver.map(str::to_string), argument })
    }
}

/// What a receiver is that starts with a local name, seen from outside the function: the name's type takes
/// the name's place, so that `book.holder` is `Book.holder`. A type that is more than names stands in
/// angle brackets. `None` when the local's type is not known; the outer one when there is no such local.
pub fn typed_receiver<'t>(receiver: &str, held: impl FnOnce(&str) -> Option<Held<'t>>) -> Option<Option<Cow<'t, str>>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
    let (head, rest) = receiver.split_at(receiver.find(|c| !is_name(c)).unwrap_or(receiver.len()));
    let known = held(head)?.receiver_type();
    if rest.is_empty() {
        return Some(known);
    }
    // What a local function gives is not known from its type.
    let known = known.filter(|known| !rest.starts_with('(') && known.len() + rest.len() < MAX_RECEIVER_BYTES);
    Some(known.map(|known| member_type(&known, rest)))
}

/// A type and the members that are asked of it, `.holder.name()`, as one chain.
pub fn member_type<'t>(known: &str, members: &str) -> Cow<'t, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#' | '.' | ':' | '\\');
    let members = members.replace("->", ".").replace("?.", ".").replace("!.", ".");
    let is_chain = known.starts_with('<') || known.replace("()", "").chars().all(is_plain);
    if is_chain && !members.starts_with('[') {
        format!("{known}{members}").into()
    } else {
        format!("<{known}>{members}").into()
    }
}

/// A call whose receiver starts with a local, as other functions would write it.
pub fn typed_call<'t>(mut call: CallTarget<'t>, held: impl FnOnce(&str) -> Option<Held<'t>>) -> CallTarget<'t> {
    let known = call.receiver.as_ref().and_then(|receiver| typed_receiver(receiver, held));
    if let Some(known) = known {
        call.receiver = Some(known.map_or(UNKNOWN.into(), |known| member_type(&known, "")));
    }
    call
}

/// The type of each of several: what a loop over it holds.
pub fn element_type<'t>(known: &str) -> Cow<'t, str> {
    format!("<{known}>[]").into()
}

/// A receiver of which nothing is known.
pub const UNKNOWN: &str = "?";

/// A receiver as records keep it: names and what joins them as written, arguments and subscripts
/// emptied, a literal as `""`; what is no chain of names is `?`.
pub fn receiver_text(raw: &str) -> Cow<'_, str> {
    if let Some(bare) = constructed(raw) {
        return Cow::Owned(receiver_text(&bare).into_owned());
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
    if raw.len() <= MAX_RECEIVER_BYTES && raw.chars().all(|c| is_name(c) || matches!(c, '.' | ':')) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::new();
    let mut depth = 0usize;
    for c in raw.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '(' | '[' => {
                if depth == 0 {
                    text.push(c);
                }
                depth += 1;
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    text.push(c);
                }
            }
            '\'' | '"' | '`' if depth == 0 && text.is_empty() => return Cow::Borrowed("\"\""),
            _ if depth > 0 => {}
            c if is_name(c) || matches!(c, '.' | ':' | '?' | '!' | '-' | '>' | '\\') => text.push(c),
            _ => return Cow::Borrowed("?"),
        }
    }
    if text.is_empty() || text.starts_with(['(', '[', '-', '!']) || text.len() > MAX_RECEIVER_BYTES {
        return Cow::Borrowed("?");
    }
    Cow::Owned(text)
}

/// `new A()` and `(new A()).b` without the word, which is no name: what is constructed is called.
fn constructed(raw: &str) -> Option<Cow<'_, str>> {
    if let Some(bare) = raw.strip_prefix("new ") {
        return Some(bare.trim_start().into());
    }
    let inner = raw.strip_prefix('(')?.trim_start().strip_prefix("new ")?;
    let mut depth = 0i32;
    let close = inner.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    })?;
    let made = inner[..close].trim();
    let call = if made.ends_with(')') { "" } else { "()" };
    Some(format!("{made}{call}{}", &inner[close + 1..]).into())
}

pub const MAX_RECEIVER_BYTES: usize = 120;

/// A type as written, on one line; none where it is too long to be any help to a reader.
pub fn type_text(raw: &str) -> Option<Cow<'_, str>> {
    if raw.len() > MAX_TYPE_BYTES {
        return None;
    }
    if raw.contains(char::is_whitespace) {
        return Some(raw.split_whitespace().collect::<Vec<_>>().join(" ").into());
    }
    Some(raw.into())
}

const MAX_TYPE_BYTES: usize = 200;

impl<'t> Mention<'t> {
    pub fn new(role: Role, name: impl Into<Cow<'t, str>>, span: Span) -> Self {
        Mention {
            role,
            name: name.into(),
            span,
            receiver: None,
            receiver_type: None,
            arguments: None,
            binding: None,
            flow: None,
        }
    }

    /// The same name behind a receiver.
    pub fn with_receiver(self, receiver: impl Into<Cow<'t, str>>) -> Self {
        Mention { receiver: Some(receiver.into()), ..self }
    }

    /// The name of a call that a value flows into.
    pub fn with_flow(self, flow: Flow) -> Self {
        Mention { role: Role::Flow, flow: Some(flow), arguments: None, receiver_type: None, ..self }
    }

    pub fn with_binding(self, binding: Binding) -> Self {
        Mention { binding: Some(binding), ..self }
    }
}

impl<'t> Definition<'t> {
    pub fn new(kind: Kind, name: impl Into<Cow<'t, str>>, name_span: Span, span: Span) -> Self {
        Definition {
            kind,
            name: name.into(),
            key: None,
            is_inline: false,
            derived_text: None,
            name_span,
            span,
            body: None,
            container: Vec::new(),
            exported: false,
            private: false,
            doc: None,
            value_type: None,
            parameters: Vec::new(),
        }
    }
}

impl Facts<'_> {
    /// One order whatever the front end's, outer definitions before inner ones; and what a definition
    /// is because of where it stands: a function of a type is a method, a variable a field.
    pub fn settle(&mut self) {
        self.definitions.sort_by(|a, b| order(a).cmp(&order(b)));
        self.definitions.dedup_by(|later, first| order(later) == order(first));
        self.place_members();
        self.mentions.sort_by(|a, b| (a.span, a.role, &a.name, &a.flow).cmp(&(b.span, b.role, &b.name, &b.flow)));
        for spans in [&mut self.comments, &mut self.prefixes, &mut self.errors] {
            spans.sort();
            spans.dedup();
        }
        self.breaks.sort();
        self.breaks.dedup_by_key(|at| at.offset);
        self.embedded.sort_by_key(|piece| piece.span);
    }

    /// The same facts, in a text that holds this one `offset` bytes in.
    pub fn shifted(mut self, offset: u32) -> Self {
        if offset == 0 {
            return self;
        }
        for definition in &mut self.definitions {
            definition.span = definition.span.shifted(offset);
            definition.name_span = definition.name_span.shifted(offset);
            definition.body = definition.body.map(|span| span.shifted(offset));
            definition.doc = definition.doc.map(|span| span.shifted(offset));
        }
        for mention in &mut self.mentions {
            mention.span = mention.span.shifted(offset);
        }
        for span in self.comments.iter_mut().chain(&mut self.prefixes).chain(&mut self.errors) {
            *span = span.shifted(offset);
        }
        for complaint in &mut self.complaints {
            complaint.span = complaint.span.shifted(offset);
        }
        for at in &mut self.breaks {
            at.offset += offset;
        }
        for piece in &mut self.embedded {
            piece.span = piece.span.shifted(offset);
        }
        self
    }

    fn place_members(&mut self) {
        let mut around: Vec<(Span, Kind)> = Vec::new();
        for definition in &mut self.definitions {
            while around.last().is_some_and(|(span, _)| !span.contains(definition.span)) {
                around.pop();
            }
            let parent = around.iter().rev().find(|(span, _)| *span != definition.span);
            let in_type = parent.is_some_and(|(_, kind)| kind.is_type());
            definition.kind = match definition.kind {
                Kind::Function if in_type => Kind::Method,
                Kind::Variable if in_type => Kind::Field,
                kind => kind,
            };
            around.push((definition.span, definition.kind));
        }
    }
}

fn order<'d>(definition: &'d Definition<'_>) -> (u32, Reverse<u32>, Span, Kind, &'d str) {
    let span = definition.span;
    (span.start, Reverse(span.end), definition.name_span, definition.kind, &definition.name)
}
