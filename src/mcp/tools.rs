//! The four tools. Each parses its arguments, calls the engine and says what came of it.

mod graph_show;
mod pack_create;
mod pack_get;
mod spec_context;

use std::sync::LazyLock;

use rmcp::model::{CallToolResult, JsonObject, Tool};
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{Arguments, nearest, quoted};
use super::fault::{BAD_REQUEST, BUDGET_EXCEEDED, Fault};
use super::reply::{Limit, RESERVE, Reply, Structured, page, refused};
use super::root::{Opened, Progress, Root};
use crate::record::View;

/// What every session has in common.
pub struct ServerState {
    pub roots: Vec<Root>,
    /// The most that a call may ask for.
    pub max_tokens_cap: u32,
}

/// As clients get them; `tests/it/mcp.rs` counts their tokens.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| serde_json::from_str(&definitions()).expect("the tools are JSON"));

/// `tools.json` with the views that the vocabulary has.
fn definitions() -> String {
    let views: Vec<String> = View::all().iter().map(|view| format!("{:?}", view.name())).collect();
    include_str!("tools.json").replace("\"VIEW\"", &views.join(", "))
}

/// One that gives no structured content promises none.
pub fn tools(structured: Structured) -> Vec<Tool> {
    let mut tools = TOOLS.clone();
    if structured == Structured::No {
        tools.iter_mut().for_each(|tool| tool.output_schema = None);
    }
    tools
}

pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Answers a call; whatever is wrong with it is an answer too.
pub fn call(
    state: &ServerState,
    tool: &Tool,
    given: JsonObject,
    structured: Structured,
    progress: Progress,
) -> CallToolResult {
    let arguments = Arguments::new(&tool.name, &tool.input_schema, given);
    let mut limit = Limit::standard(state.max_tokens_cap);
    let answered = answered(state, tool, &arguments, &mut limit, progress);
    progress(100, "done");
    match answered {
        Ok(reply) => reply.within(limit, structured),
        Err(fault) => refused(&fault, limit, structured),
    }
}

fn answered(
    state: &ServerState,
    tool: &Tool,
    arguments: &Arguments,
    limit: &mut Limit,
    progress: Progress,
) -> Result<Reply, Fault> {
    // Before all else, since it holds for faults as well.
    let asked = arguments.count("max_tokens")?;
    limit.max_tokens = asked.unwrap_or(limit.max_tokens).min(state.max_tokens_cap);
    arguments.refuse_unknown()?;
    check_limit(asked, state.max_tokens_cap)?;
    let call = Call { state, arguments, progress };
    let first = call.run(&tool.name, limit);
    match first {
        Err(fault) if fault.is_of_the_index() => {
            // Another process may have replaced the index meanwhile.
            state.roots.iter().for_each(Root::forget);
            call.run(&tool.name, limit)
        }
        first => first,
    }
}

fn check_limit(asked: Option<u32>, cap: u32) -> Result<(), Fault> {
    match asked {
        Some(asked) if asked > cap => {
            Err(Fault::new(BUDGET_EXCEEDED, format!("`max_tokens` is {asked} and may be at most {cap}"))
                .hint("ask for less"))
        }
        Some(asked) if asked < RESERVE => {
            Err(Fault::new(BUDGET_EXCEEDED, format!("`max_tokens` is {asked} and has to be at least {RESERVE}")))
        }
        _ => Ok(()),
    }
}

/// One call of a tool.
struct Call<'c> {
    state: &'c ServerState,
    arguments: &'c Arguments<'c>,
    progress: Progress<'c>,
}

impl<'c> Call<'c> {
    fn run(&self, tool: &str, limit: &mut Limit) -> Result<Reply, Fault> {
        match tool {
            "context_pack.create" => pack_create::run(self, limit),
            "context_pack.get" => pack_get::run(self, *limit),
            "spec_context" => spec_context::run(self, *limit),
            _ => graph_show::run(self, *limit),
        }
    }

    fn root(&self) -> Result<&'c Root, Fault> {
        let names: Vec<&str> = self.state.roots.iter().map(|root| root.name.as_str()).collect();
        let listed = format!("the roots are {}", names.join(", "));
        match (self.arguments.name("root")?, self.state.roots.as_slice()) {
            (None, [root]) => Ok(root),
            (None, _) => Err(Fault::new(BAD_REQUEST, "there are several trees").hint(format!("give `root`: {listed}"))),
            (Some(name), roots) => roots.iter().find(|root| root.name == name).ok_or_else(|| {
                let meant = nearest(&name, &names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                Fault::new(BAD_REQUEST, format!("there is no root {}", quoted(&name))).hint(format!("{meant}{listed}"))
            }),
        }
    }

    fn format<F: for<'de> Deserialize<'de> + Default>(&self) -> Result<F, Fault> {
        Ok(self.arguments.word("format")?.unwrap_or_default())
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
