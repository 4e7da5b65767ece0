//! The tools. Each parses its arguments, calls the engine and replies with the result.

mod code;
mod gate;
mod note_brief;
mod outline;
mod pack;
mod read;
mod search;
mod show;
mod spec_context;
mod stored_pack;
mod workspace_context;

use std::cell::Cell;
use std::sync::{Arc, LazyLock};

use rmcp::model::{CallToolResult, JsonObject, Tool};
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{Arguments, did_you_mean, quoted};
use super::fault::Fault;
use super::reply::{Limit, RESERVE, Reply, page, refused};
use super::root::{Opened, Progress, Root};
use super::{Settings, ToolSet};
use crate::assemble::IndexView;
use crate::door::browse::BrowseError;
use crate::pipeline::session::SessionError;
use crate::record::{ErrorCode, View};

type Action = fn(&Call, &mut Limit) -> Result<Reply, Fault>;

/// What each tool of `gate-tools.json` does.
const GATE_ACTIONS: &[(&str, Action)] =
    &[(CODE, |call, limit| code::run(call, *limit)), (SESSION, |call, limit| gate::run(call, *limit))];

/// The tools of the query frame gate.
const CODE: &str = "code";
const SESSION: &str = "session";

/// What each tool of `tools.json` does.
const ACTIONS: &[(&str, Action)] = &[
    (NOTES, note_brief::run),
    ("outline", |call, limit| outline::run(call, *limit)),
    ("pack", pack::run),
    ("read", |call, limit| read::run(call, *limit)),
    ("search", |call, limit| search::run(call, *limit)),
    ("show", |call, limit| show::run(call, *limit)),
    ("spec_context", |call, limit| spec_context::run(call, *limit)),
    (BLOCKS, workspace_context::run),
];

/// Other names of tools: earlier ones, and one that agents for notes know. They are not listed, but they work, with the
/// arguments of the tool that they stand for.
const OLD_NAMES: &[(&str, &str, Action)] = &[
    ("context_pack.create", "pack", pack::run),
    ("context_pack.get", "pack", |call, limit| stored_pack::run(call, *limit)),
    ("graph_show", "show", |call, limit| show::run(call, *limit)),
    ("tana_context", NOTES, note_brief::run),
];

/// The tool that is of use only where the tree has spec documents.
const SPECS: &str = "spec_context";
/// The tool that is of use only where the tree has notes.
const NOTES: &str = "note_brief";

/// The tool that is of use only where the tree is a workspace.
const BLOCKS: &str = "workspace_context";

/// What a server has, besides the code of one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    pub specs: bool,
    pub notes: bool,
    pub blocks: bool,
    pub several_trees: bool,
}

impl Holds {
    /// Whether there are tools for it.
    pub fn any(self) -> bool {
        self.specs || self.notes || self.blocks
    }

    fn has_use_for(self, tool: &str) -> bool {
        match tool {
            SPECS => self.specs,
            NOTES => self.notes,
            BLOCKS => self.blocks,
            _ => true,
        }
    }
}

/// `tools.json` with the views that the vocabulary has. `tests/it/mcp/mod.rs` counts their tokens.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let views: Vec<String> = View::all().iter().map(|view| format!("{:?}", view.name())).collect();
    let words: Vec<&str> = View::all().iter().map(|view| view.name()).collect();
    let definitions = include_str!("tools.json").replace("\"VIEW\"", &views.join(", "));
    let definitions = definitions.replace("VIEWS", &words.join(", "));
    serde_json::from_str(&definitions).expect("the tools are JSON")
});

/// The tools of the query frame gate, as `gate-tools.json` has them.
static GATE_TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| serde_json::from_str(include_str!("gate-tools.json")).expect("the tools are JSON"));

/// The tools to list. One that gives no structured content promises none.
pub fn tools(is_structured: bool, holds: Holds, set: ToolSet) -> Vec<Tool> {
    let standard = TOOLS.iter().filter(|tool| set.has_standard() && holds.has_use_for(&tool.name));
    let gate = GATE_TOOLS.iter().filter(|_| set.has_gate());
    let mut tools: Vec<Tool> = standard.chain(gate).map(|tool| listed(tool, holds)).collect();
    if set == ToolSet::Seed {
        tools = seed_tools();
    }
    if !is_structured {
        tools.iter_mut().for_each(|tool| tool.output_schema = None);
    }
    tools
}

/// The tools of the specification under their own names, as short as they can be.
fn seed_tools() -> Vec<Tool> {
    let schema = |is_code: bool| {
        let tool = GATE_TOOLS.iter().find(|tool| tool.name == if is_code { CODE } else { SESSION });
        let mut schema = (*tool.expect("both are there").input_schema).clone();
        schema.remove("required");
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            let kept: &[&str] = if is_code { &["target", "session"] } else { &["session", "query", "data"] };
            properties.retain(|name, _| kept.contains(&name.as_str()));
            properties.values_mut().filter_map(Value::as_object_mut).for_each(|one| drop(one.remove("description")));
        }
        Arc::new(schema)
    };
    // One of two names for the same op, as the specification lists them.
    let listed = gate::ALIASES.iter().filter(|(name, ..)| *name != "devrag_search");
    let tool = |(name, op, is_code): &(&'static str, &'static str, bool)| {
        let mut tool = GATE_TOOLS[usize::from(!is_code)].clone();
        tool.name = (*name).into();
        let of = if *is_code { CODE } else { SESSION };
        tool.description = Some(if *op == *name { of.into() } else { format!("{of} {op}").into() });
        tool.input_schema = schema(*is_code);
        tool.output_schema = None;
        tool
    };
    listed.map(tool).collect()
}

/// A tool in a short form: every client pays for the list in every session. Words that the description of an argument
/// names are not listed again, and without a choice of trees there is no argument for it.
fn listed(tool: &Tool, holds: Holds) -> Tool {
    let mut schema = (*tool.input_schema).clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        if !holds.several_trees {
            properties.remove("root");
        }
        properties.values_mut().for_each(without_described_words);
    }
    let mut tool = tool.clone();
    tool.input_schema = Arc::new(schema);
    tool
}

fn without_described_words(argument: &mut Value) {
    let described = argument["description"].as_str().unwrap_or_default().to_string();
    for place in ["/enum", "/items/enum"] {
        let words = argument.pointer(place).and_then(Value::as_array).cloned().unwrap_or_default();
        if !words.is_empty() && words.iter().filter_map(Value::as_str).all(|word| described.contains(word)) {
            let owner = argument.pointer_mut(place.trim_end_matches("/enum")).and_then(Value::as_object_mut);
            owner.map(|owner| owner.remove("enum"));
        }
    }
}

/// What a call by this name does, and with which arguments.
pub struct Named {
    name: &'static str,
    /// Whether its arguments are those of the specification's tool.
    is_alias: bool,
    /// Its listed name.
    tool: &'static str,
    schema: &'static JsonObject,
    action: Action,
}

/// Finds a tool by its name or by an earlier one.
pub fn named(name: &str) -> Option<Named> {
    let all = || TOOLS.iter().chain(GATE_TOOLS.iter());
    let schema = |name: &str| all().find(|tool| tool.name == name).map(|tool| &*tool.input_schema);
    if let Some((alias, _, is_code)) = gate::ALIASES.iter().find(|(alias, ..)| *alias == name) {
        let (tool, action) = GATE_ACTIONS[usize::from(!is_code)];
        return Some(Named { name: alias, is_alias: true, tool, schema: schema(tool)?, action });
    }
    let now = ACTIONS.iter().chain(GATE_ACTIONS).map(|(own, action)| (*own, *own, *action));
    let (name, tool, action) = now.chain(OLD_NAMES.iter().copied()).find(|(own, ..)| *own == name)?;
    Some(Named { name, is_alias: false, tool, schema: schema(tool)?, action })
}

/// Why a name is no tool's.
pub fn no_tool(name: &str) -> String {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name.as_ref()).collect();
    format!("there is no tool {}; {}", quoted(name), did_you_mean(name, &names, "the tools are"))
}

/// Answers a call; whatever is wrong with it is an answer too.
pub fn call(
    settings: &Settings,
    tool: &Named,
    given: JsonObject,
    is_structured: bool,
    progress: Progress,
) -> CallToolResult {
    let given = if tool.is_alias { gate::renamed(tool.name, given) } else { given };
    let arguments = Arguments::new(tool.name, tool.schema, given);
    let mut limit = Limit::standard(settings.max_tokens_cap);
    let call = Call { settings, arguments: &arguments, progress, tool: tool.tool, has_appended: Cell::new(false) };
    let answered = call.answered(tool, &mut limit);
    progress(100, "done");
    match answered {
        Ok(reply) => reply.within(limit, is_structured),
        Err(fault) => refused(&fault, limit, is_structured),
    }
}

fn check_limit(asked: Option<u32>, cap: u32) -> Result<(), Fault> {
    match asked {
        Some(asked) if asked > cap => {
            Err(Fault::new(ErrorCode::BudgetExceeded, format!("`max_tokens` is {asked} and may be at most {cap}"))
                .hint("ask for less"))
        }
        Some(asked) if asked < RESERVE => Err(Fault::new(
            ErrorCode::BudgetExceeded,
            format!("`max_tokens` is {asked} and has to be at least {RESERVE}"),
        )),
        _ => Ok(()),
    }
}

/// One call of a tool.
struct Call<'c> {
    settings: &'c Settings,
    arguments: &'c Arguments<'c>,
    progress: Progress<'c>,
    tool: &'static str,
    /// Whether it may have changed a session: such a call is never run again.
    has_appended: Cell<bool>,
}

impl<'c> Call<'c> {
    fn answered(&self, tool: &Named, limit: &mut Limit) -> Result<Reply, Fault> {
        // Before all else, since it holds for faults as well.
        let (asked, cap) = (self.arguments.count("max_tokens")?, self.settings.max_tokens_cap);
        // The budgets of briefs and payloads are those of their texts alone, as on the command line.
        let (asked, default) = match tool.tool {
            NOTES => (asked.map(|asked| asked.saturating_add(RESERVE)), note_brief::reply_limit(None, cap)),
            BLOCKS => (asked.map(|asked| asked.saturating_add(RESERVE)), cap),
            CODE => (asked, code::DEFAULT_TOKENS),
            SESSION => (asked, gate::DEFAULT_TOKENS),
            _ => (asked, limit.max_tokens),
        };
        limit.max_tokens = asked.unwrap_or(default).min(cap);
        self.arguments.refuse_unknown()?;
        check_limit(asked, cap)?;
        let action = tool.action;
        match action(self, limit) {
            Err(fault) if fault.is_of_the_index() && !self.has_appended.get() => {
                // Another process may have replaced the index meanwhile.
                self.settings.roots.iter().for_each(Root::forget);
                action(self, limit)
            }
            first => first,
        }
    }

    /// Runs what changes a session.
    fn appends<R>(&self, work: impl FnOnce() -> Result<R, SessionError>) -> Result<R, Fault> {
        self.has_appended.set(true);
        work().map_err(Fault::from)
    }

    fn is_of_session(&self) -> bool {
        self.tool == SESSION
    }

    fn root(&self) -> Result<&'c Root, Fault> {
        let names: Vec<&str> = self.settings.roots.iter().map(|root| root.name.as_str()).collect();
        match (self.arguments.name("root")?, self.settings.roots.as_slice()) {
            (None, [root]) => Ok(root),
            (None, _) => Err(Fault::bad_request("there are several trees")
                .hint(format!("give `root`: the roots are {}", names.join(", ")))),
            (Some(name), roots) => roots.iter().find(|root| root.name == name).ok_or_else(|| {
                Fault::bad_request(format!("there is no root {}", quoted(&name))).hint(did_you_mean(
                    &name,
                    &names,
                    "the roots are",
                ))
            }),
        }
    }

    fn format<F: for<'de> Deserialize<'de> + Default>(&self) -> Result<F, Fault> {
        Ok(self.arguments.word("format")?.unwrap_or_default())
    }

    /// Calls the browse door with the index, up to date if that is allowed.
    fn browse<R>(
        &self,
        root: &'c Root,
        work: impl FnOnce(&IndexView) -> Result<R, BrowseError>,
    ) -> Result<(R, Opened<'c>), Fault> {
        let opened = root.open(self.progress)?;
        (self.progress)(90, "reading");
        let answer = root.source(&opened)?.browse(work)?;
        let answer = answer.map_err(|error| Fault::from(error).stale(opened.stale.as_deref()))?;
        Ok((answer, opened))
    }

    /// Of a text, the part that was asked for and fits; how to ask for the next is a note.
    fn paged(&self, text: &str, limit: Limit, again: &str) -> Result<Reply, Fault> {
        let offset = self.arguments.count("offset")?.unwrap_or_default() as usize;
        let (part, next) = page(text, offset, limit)?;
        let mut reply = Reply { text: part.to_string(), ..Reply::default() };
        if let Some(next) = next {
            reply.notes.push(format!("[{} of {} bytes; {again} offset {next}]", offset + part.len(), text.len()));
            reply.facts.insert("next".to_string(), next.into());
        }
        Ok(reply)
    }
}

impl Reply {
    /// In words for those that see no structured content.
    fn stale(&mut self, why: Option<&str>) {
        self.facts.insert("stale".to_string(), why.is_some().into());
        self.notes.extend(why.map(|why| format!("[stale: {why}]")));
    }

    fn of_index(&mut self, opened: &Opened) {
        self.stale(opened.stale.as_deref());
    }

    fn fact(&mut self, name: &str, value: impl Into<Value>) {
        self.facts.insert(name.to_string(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::request::Intent;
    use crate::text::Tokenizer;

    #[test]
    fn every_tool_does_something_of_its_own() {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name.as_ref()).collect();
        assert!(names.iter().all(|name| ACTIONS.iter().filter(|(own, _)| own == name).count() == 1), "{names:?}");
        assert_eq!(names.len(), ACTIONS.len());
        assert!(named("graph_shows").is_none());
        assert_eq!(
            no_tool("shwo").split_once("; ").unwrap().1,
            format!("did you mean `show`? the tools are {}", names.join(", "))
        );
    }

    #[test]
    fn names_of_tools_are_those_that_clients_allow() {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(TOOLS.iter().all(|tool| tool.name.chars().all(is_allowed)));
    }

    #[test]
    fn earlier_names_have_the_arguments_of_the_tool_that_replaced_them() {
        for (old, new, _) in OLD_NAMES {
            assert!(std::ptr::eq(named(old).unwrap().schema, named(new).unwrap().schema));
            assert!(TOOLS.iter().all(|tool| tool.name != *old));
        }
    }

    /// Some clients drop an enum without one.
    #[test]
    fn every_argument_has_a_type() {
        fn check(schema: &Value) {
            assert!(schema["type"].is_string(), "{schema}");
            schema.get("items").into_iter().for_each(check);
            schema["properties"].as_object().into_iter().flatten().for_each(|(_, inner)| check(inner));
        }
        TOOLS.iter().for_each(|tool| check(&Value::Object((*tool.input_schema).clone())));
    }

    #[test]
    fn every_intent_is_described() {
        let intent = &TOOLS[0].input_schema["properties"]["intent"];
        for word in Intent::ALL.map(Intent::name) {
            assert!(intent["enum"].as_array().unwrap().iter().any(|listed| listed == word), "{word}");
            assert!(intent["description"].as_str().unwrap().contains(&format!("{word}: ")), "{word}");
        }
    }

    #[test]
    fn spec_tools_are_listed_where_there_are_specs() {
        let lists = |specs| {
            tools(true, Holds { specs, notes: true, ..Holds::default() }, ToolSet::Four)
                .iter()
                .any(|tool| tool.name == SPECS)
        };
        assert!(lists(true) && !lists(false) && named(SPECS).is_some());
    }

    #[test]
    fn note_tools_are_listed_where_there_are_notes() {
        let lists = |notes| {
            tools(true, Holds { specs: true, notes, ..Holds::default() }, ToolSet::Four)
                .iter()
                .any(|tool| tool.name == NOTES)
        };
        assert!(lists(true) && !lists(false) && named(NOTES).is_some() && named("tana_context").is_some());
    }

    #[test]
    fn all_definitions_together_are_short() {
        let count =
            |holds| Tokenizer::O200kBase.count(&serde_json::to_string(&tools(true, holds, ToolSet::Four)).unwrap());
        let (without, with) = (
            count(Holds { specs: true, notes: false, ..Holds::default() }),
            count(Holds { specs: true, notes: true, ..Holds::default() }),
        );
        assert!(with < 1_200, "{with} tokens");
        assert!(with - without <= 300, "{} tokens of {NOTES}", with - without);
    }

    #[test]
    fn the_tools_of_the_gate_are_short() {
        let count =
            |set| Tokenizer::O200kBase.count(&serde_json::to_string(&tools(true, Holds::default(), set)).unwrap());
        let (gate, seed) = (count(ToolSet::Gate), count(ToolSet::Seed));
        assert!(gate < 450, "{gate} tokens");
        assert!(seed < 1_000, "{seed} tokens");
        let names =
            |set| tools(true, Holds::default(), set).iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        assert_eq!(names(ToolSet::Gate), ["code", "session"]);
        assert_eq!(names(ToolSet::All), [names(ToolSet::Four), names(ToolSet::Gate)].concat());
        assert!(names(ToolSet::Seed).iter().all(|name| super::named(name).is_some_and(|named| named.is_alias)));
    }

    #[test]
    fn a_call_may_not_ask_for_more_than_the_cap_or_less_than_the_reserve() {
        assert_eq!(check_limit(None, 0), Ok(()));
        assert_eq!(check_limit(Some(RESERVE), RESERVE), Ok(()));
        assert_eq!(check_limit(Some(501), 500).unwrap_err().code, ErrorCode::BudgetExceeded);
        assert_eq!(check_limit(Some(RESERVE - 1), 500).unwrap_err().code, ErrorCode::BudgetExceeded);
    }

    #[test]
    fn tools_promise_structured_content_only_to_those_who_get_it() {
        assert!(
            tools(true, Holds { specs: true, notes: true, ..Holds::default() }, ToolSet::Four)
                .iter()
                .all(|tool| tool.output_schema.is_some())
        );
        assert!(
            tools(false, Holds { specs: true, notes: true, ..Holds::default() }, ToolSet::Four)
                .iter()
                .all(|tool| tool.output_schema.is_none())
        );
    }
}
