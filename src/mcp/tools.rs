//! The four tools. Each parses its arguments, calls the engine and says what came of it.

mod graph_show;
mod pack_create;
mod pack_get;
mod spec_context;

use std::sync::LazyLock;

use rmcp::model::{CallToolResult, JsonObject, Tool};
use serde::Deserialize;
use serde_json::Value;

use super::Settings;
use super::arguments::{Arguments, did_you_mean, quoted};
use super::fault::Fault;
use super::reply::{Limit, RESERVE, Reply, page, refused};
use super::root::{Opened, Progress, Root};
use crate::record::{ErrorCode, View};

type Action = fn(&Call, &mut Limit) -> Result<Reply, Fault>;

/// What each tool of `tools.json` does.
const ACTIONS: &[(&str, Action)] = &[
    ("context_pack.create", pack_create::run),
    ("context_pack.get", |call, limit| pack_get::run(call, *limit)),
    ("graph_show", |call, limit| graph_show::run(call, *limit)),
    ("spec_context", |call, limit| spec_context::run(call, *limit)),
];

/// `tools.json` with the views that the vocabulary has. `tests/it/mcp/mod.rs` counts their tokens.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let views: Vec<String> = View::all().iter().map(|view| format!("{:?}", view.name())).collect();
    let definitions = include_str!("tools.json").replace("\"VIEW\"", &views.join(", "));
    serde_json::from_str(&definitions).expect("the tools are JSON")
});

/// One that gives no structured content promises none.
pub fn tools(is_structured: bool) -> Vec<Tool> {
    let mut tools = TOOLS.clone();
    if !is_structured {
        tools.iter_mut().for_each(|tool| tool.output_schema = None);
    }
    tools
}

pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Answers a call; whatever is wrong with it is an answer too.
pub fn call(
    settings: &Settings,
    tool: &Tool,
    given: JsonObject,
    is_structured: bool,
    progress: Progress,
) -> CallToolResult {
    let arguments = Arguments::new(&tool.name, &tool.input_schema, given);
    let mut limit = Limit::standard(settings.max_tokens_cap);
    let call = Call { settings, arguments: &arguments, progress };
    let (_, action) = ACTIONS.iter().find(|(name, _)| tool.name == *name).expect("a test checks the table");
    let answered = call.answered(*action, &mut limit);
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
}

impl<'c> Call<'c> {
    fn answered(&self, action: Action, limit: &mut Limit) -> Result<Reply, Fault> {
        // Before all else, since it holds for faults as well.
        let asked = self.arguments.count("max_tokens")?;
        limit.max_tokens = asked.unwrap_or(limit.max_tokens).min(self.settings.max_tokens_cap);
        self.arguments.refuse_unknown()?;
        check_limit(asked, self.settings.max_tokens_cap)?;
        match action(self, limit) {
            Err(fault) if fault.is_of_the_index() => {
                // Another process may have replaced the index meanwhile.
                self.settings.roots.iter().for_each(Root::forget);
                action(self, limit)
            }
            first => first,
        }
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

    #[test]
    fn every_tool_does_something_of_its_own() {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name.as_ref()).collect();
        assert!(names.iter().all(|name| ACTIONS.iter().filter(|(own, _)| own == name).count() == 1), "{names:?}");
        assert_eq!(names.len(), ACTIONS.len());
        assert!(tool("graph_shows").is_none());
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
        assert!(tools(true).iter().all(|tool| tool.output_schema.is_some()));
        assert!(tools(false).iter().all(|tool| tool.output_schema.is_none()));
    }
}
