//! What the names in a text stand for: the calls by their places, and the locals of every scope.

use std::borrow::Cow;
use std::num::NonZeroU16;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::captured::{RawCall, span};
use super::scopes::Scopes;
use crate::language::facts::{
    CallTarget, Held, HeldSource, Mention, UNKNOWN, element_type, receiver_text, type_text, typed_call, typed_receiver,
};
use crate::record::Role;
use crate::text::Span;

pub struct Names<'t> {
    text: &'t str,
    /// Every call by its whole span, so that a node can be asked whether it is one.
    pub calls: FxHashMap<Span, CallTarget<'t>>,
    pub scopes: Scopes<'t>,
    /// The grammar's field of this name.
    value_field: Option<NonZeroU16>,
}

impl<'t> Names<'t> {
    /// Without locals yet.
    pub fn new(text: &'t str, calls: &[RawCall], scopes: Vec<Span>, value_field: Option<NonZeroU16>) -> Self {
        let target = |call: &RawCall| CallTarget {
            name: call.name.text(text).into(),
            receiver: call.receiver.map(|receiver| receiver_text(span(receiver).text(text))),
        };
        let calls = calls.iter().map(|call| (call.span, target(call))).collect();
        Names { text, calls, scopes: Scopes::new(scopes), value_field }
    }

    /// What an expression gives: a call's result, or what the local it names holds.
    pub fn held(&self, node: Node) -> Held<'t> {
        let at = |node: Node| node.start_byte() as u32;
        let local = |node: Node| self.scopes.held(span(node).text(self.text), at(node));
        // PHP's `$name` has a node inside, so a local is looked for at every level.
        let node = self.unwrapped(node, |node| self.calls.contains_key(&span(node)) || local(node).is_some());
        match self.calls.get(&span(node)) {
            Some(target) => Held::call(typed_call(target.clone(), |head| self.local(head, at(node)))),
            None => local(node).cloned().unwrap_or_default(),
        }
    }

    /// What each turn of a loop holds.
    pub fn turn(&self, list: Node) -> Option<Cow<'t, str>> {
        let held = self.held(list).receiver_type();
        let raw = span(list).text(self.text).trim_start_matches("range ").trim_start_matches(['&', '*']);
        let receiver = receiver_text(raw.trim_start().trim_start_matches("mut "));
        let typed = typed_receiver(&receiver, |head| self.local(head, list.start_byte() as u32));
        let known = held.or_else(|| typed.unwrap_or(Some(receiver)))?;
        (known != UNKNOWN).then(|| element_type(&known))
    }

    pub fn call_mention(&self, call: &RawCall) -> Option<Mention<'t>> {
        let is_hidden = !call.apart && self.is_local(call.name, call.receiver);
        let mention = self.mention(Role::Call, call.name, call.receiver).filter(|_| !is_hidden)?;
        let arguments = call.arguments.as_ref().map(|arguments| arguments.len() as u32);
        Some(Mention { arguments, ..mention })
    }

    pub fn name_mention(&self, role: Role, node: Node, receiver: Option<Node>) -> Option<Mention<'t>> {
        let is_hidden = self.is_local(span(node), receiver);
        self.mention(role, span(node), receiver).filter(|_| !is_hidden)
    }

    /// A local name means nothing outside its function.
    fn is_local(&self, name: Span, receiver: Option<Node>) -> bool {
        receiver.is_none() && self.scopes.is_local(name.text(self.text), name.start)
    }

    fn mention(&self, role: Role, name: Span, receiver: Option<Node>) -> Option<Mention<'t>> {
        let word = name.text(self.text);
        if word.is_empty() {
            return None;
        }
        // SQL and Kotlin put names in quotes that are no part of them.
        let mut mention = Mention::new(role, word.trim_matches(['`', '"']), name);
        if let Some(receiver) = receiver {
            let receiver = receiver_text(span(receiver).text(self.text));
            mention.receiver_type = typed_receiver(&receiver, |head| self.local(head, name.start)).flatten();
            mention.receiver = Some(receiver);
        }
        Some(mention)
    }

    pub fn flows(&self, call: &RawCall, mentions: &mut Vec<Mention<'t>>) {
        // What a local holds is called by no name that others know.
        if self.is_local(call.name, call.receiver) {
            return;
        }
        let arguments = call.arguments.iter().flatten();
        let numbered = arguments.enumerate().map(|(at, node)| (Some(at as u32), *node));
        for (position, node) in numbered.chain(call.receiver.map(|receiver| (None, receiver))) {
            let held = self.held(node);
            // A receiver that is a parameter says nothing that the receiver itself does not.
            let said = position.is_none() && !matches!(held.source, Some(HeldSource::Call(_)));
            let Some(flow) = held.flow(position).filter(|_| !said) else { continue };
            let receiver = call.receiver.map(|receiver| receiver_text(span(receiver).text(self.text)));
            let mention = Mention::new(Role::Flow, call.name.text(self.text), call.name).with_flow(flow);
            mentions.push(Mention { receiver, ..mention });
        }
    }

    /// The expression inside what only wraps it: `f(name=x)`, `(x)`, `await x`, `&x`.
    pub fn unwrapped<'n>(&self, mut node: Node<'n>, is_known: impl Fn(Node<'n>) -> bool) -> Node<'n> {
        for _ in 0..8 {
            // Most nodes are names, which wrap nothing.
            if node.child_count() == 0 || is_known(node) {
                return node;
            }
            // A list of one holds its element without being it.
            if node.child(0).is_some_and(|child| matches!(child.kind(), "[" | "{")) {
                return node;
            }
            // In `x.field` and `match x { … }` the value is no wrapped expression: more follows it.
            let value = self.value_field.and_then(|field| node.child_by_field_id(field.get()));
            let value = value.filter(|value| value.end_byte() == node.end_byte());
            let inner = value.or_else(|| node.named_child(0).filter(|_| node.named_child_count() == 1));
            match inner {
                Some(inner) => node = inner,
                None => return node,
            }
        }
        node
    }

    /// What a name holds at a place, if it is a local there.
    fn local(&self, name: &str, offset: u32) -> Option<Held<'t>> {
        self.scopes.held(name, offset).cloned()
    }

    /// A type on one line, without the colon or arrow that some grammars keep with it.
    pub fn type_text(&self, span: Option<Span>) -> Option<Cow<'t, str>> {
        let raw = span?.text(self.text).trim_start_matches([':', '-', '>', ' ']).trim();
        if raw.is_empty() { None } else { type_text(raw) }
    }
}

/// Arguments without the comments between them.
pub fn argument_nodes(arguments: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = arguments.walk();
    arguments.named_children(&mut cursor).filter(|node| !node.is_extra()).collect()
}
