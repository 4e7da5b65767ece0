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
use super::fault::Fault;
use super::reply::{Limit, RESERVE, Reply, Structured, page, refused};
use super::root::{Opened, Progress, Root};
use crate::record::{ErrorCode, View};

/// What every session has in common.
pub struct ServerState {
    pub roots: Vec<Root>,
    /// The most that a call may ask for.
    pub max_tokens_cap: u32,
}

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    CreatePack,
    GetPack,
    ShowGraph,
    SpecContext,
}

impl Action {
    fn named(tool: &str) -> Option<Self> {
        match tool {
            "context_pack.create" => Some(Action::CreatePack),
            "context_pack.get" => Some(Action::GetPack),
            "graph_show" => Some(Action::ShowGraph),
            "spec_context" => Some(Action::SpecContext),
            _ => None,
        }
    }
}

/// A tool as clients get it, and what it does.
pub struct ServedTool {
    definition: Tool,
    action: Action,
}

/// `tests/it/mcp/mod.rs` counts their tokens.
static TOOLS: LazyLock<Vec<ServedTool>> = LazyLock::new(|| {
    let definitions: Vec<Tool> = serde_json::from_str(&definitions()).expect("the tools are JSON");
    let served = |definition: Tool| {
        let action = Action::named(&definition.name).expect("every tool has an action, which a test checks");
        ServedTool { definition, action }
    };
    definitions.into_iter().map(served).collect()
});

/// `tools.json` with the views that the vocabulary has.
fn definitions() -> String {
    let views: Vec<String> = View::all().iter().map(|view| format!("{:?}", view.name())).collect();
    include_str!("tools.json").replace("\"VIEW\"", &views.join(", "))
}

/// One that gives no structured content promises none.
pub fn tools(structured: Structured) -> Vec<Tool> {
    let mut tools: Vec<Tool> = TOOLS.iter().map(|tool| tool.definition.clone()).collect();
    if structured == Structured::No {
        tools.iter_mut().for_each(|tool| tool.output_schema = None);
    }
    tools
}

pub fn tool(name: &str) -> Option<&'static ServedTool> {
    TOOLS.iter().find(|tool| tool.definition.name == name)
}

/// Answers a call; whatever is wrong with it is an answer too.
pub fn call(
    state: &ServerState,
    tool: &ServedTool,
    given: JsonObject,
    structured: Structured,
    progress: Progress,
) -> CallToolResult {
    let arguments = Arguments::new(&tool.definition.name, &tool.definition.input_schema, given);
    let mut limit = Limit::standard(state.max_tokens_cap);
    let call = Call { state, arguments: &arguments, progress };
    let answered = call.answered(tool.action, &mut limit);
    progress(100, "done");
    match answered {
        Ok(reply) => reply.within(limit, structured),
        Err(fault) => refused(&fault, limit, structured),
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
    state: &'c ServerState,
    arguments: &'c Arguments<'c>,
    progress: Progress<'c>,
}

impl<'c> Call<'c> {
    fn answered(&self, action: Action, limit: &mut Limit) -> Result<Reply, Fault> {
        // Before all else, since it holds for faults as well.
        let asked = self.arguments.count("max_tokens")?;
        limit.max_tokens = asked.unwrap_or(limit.max_tokens).min(self.state.max_tokens_cap);
        self.arguments.refuse_unknown()?;
        check_limit(asked, self.state.max_tokens_cap)?;
        match self.run(action, limit) {
            Err(fault) if fault.is_of_the_index() => {
                // Another process may have replaced the index meanwhile.
                self.state.roots.iter().for_each(Root::forget);
                self.run(action, limit)
            }
            first => first,
        }
    }

    fn run(&self, action: Action, limit: &mut Limit) -> Result<Reply, Fault> {
        match action {
            Action::CreatePack => pack_create::run(self, limit),
            Action::GetPack => pack_get::run(self, *limit),
            Action::ShowGraph => graph_show::run(self, *limit),
            Action::SpecContext => spec_context::run(self, *limit),
        }
    }

    fn root(&self) -> Result<&'c Root, Fault> {
        let names: Vec<&str> = self.state.roots.iter().map(|root| root.name.as_str()).collect();
        let listed = format!("the roots are {}", names.join(", "));
        match (self.arguments.name("root")?, self.state.roots.as_slice()) {
            (None, [root]) => Ok(root),
            (None, _) => {
                Err(Fault::new(ErrorCode::BadRequest, "there are several trees").hint(format!("give `root`: {listed}")))
            }
            (Some(name), roots) => roots.iter().find(|root| root.name == name).ok_or_else(|| {
                let meant = nearest(&name, &names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                Fault::new(ErrorCode::BadRequest, format!("there is no root {}", quoted(&name)))
                    .hint(format!("{meant}{listed}"))
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
        let definitions: Vec<Tool> = serde_json::from_str(&definitions()).unwrap();
        let actions: Vec<Option<Action>> = definitions.iter().map(|tool| Action::named(&tool.name)).collect();
        assert!(actions.iter().all(Option::is_some), "{actions:?}");
        assert!(actions.iter().enumerate().all(|(at, action)| !actions[..at].contains(action)), "{actions:?}");
        assert_eq!(Action::named("graph_shows"), None);
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
        assert!(tools(Structured::Yes).iter().all(|tool| tool.output_schema.is_some()));
        assert!(tools(Structured::No).iter().all(|tool| tool.output_schema.is_none()));
    }
}
