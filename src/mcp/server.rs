//! A session with a client: the protocol's words for what the tools and packs say. The work itself is done on threads
//! of its own, so that a session answers while it goes on.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode as ProtocolCode,
    ErrorData, Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer, ServerHandler};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch::Receiver;

use super::arguments::quoted;
use super::fault::Fault;
use super::reply::{Limit, refused};
use super::root::Root;
use super::tools::{Holds, call, named, no_tool, tools};
use super::{INSTRUCTIONS, Settings};
use super::{resources, startup};
use crate::record::ErrorCode;

/// Calls at the same time; more wait.
const MAX_CALLS: usize = 4;
/// How long a list of tools waits for the indexes.
const LIST_PATIENCE: Duration = Duration::from_secs(3);
/// How long the last step of a call may hold back its result.
const LAST_STEP: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub struct Server {
    settings: Arc<Settings>,
    permits: Arc<Semaphore>,
    /// True when the indexes are built that the start began.
    is_ready: Arc<OnceLock<Receiver<bool>>>,
}

impl Server {
    pub fn new(settings: Settings) -> Self {
        Server { settings: Arc::new(settings), permits: Arc::new(Semaphore::new(MAX_CALLS)), is_ready: Arc::default() }
    }

    /// Begins to build the indexes; returns at once.
    pub fn build_indexes(&self) {
        self.is_ready.get_or_init(|| startup::build_indexes(&self.settings));
    }

    /// Waits until the indexes are built.
    async fn ready(&self) {
        if let Some(is_ready) = self.is_ready.get() {
            // An error means that the thread is gone; so the wait is over.
            let _ = is_ready.clone().wait_for(|is_ready| *is_ready).await;
        }
    }

    fn holds(&self) -> Holds {
        let roots = &self.settings.roots;
        Holds {
            specs: roots.iter().any(Root::has_specs),
            notes: roots.iter().any(Root::has_notes),
            blocks: roots.iter().any(Root::is_workspace),
            several_trees: roots.len() > 1,
        }
    }

    /// Tells a client that got its list too early when there is more to list.
    fn list_again_when_ready(&self, peer: Peer<RoleServer>) {
        let server = self.clone();
        tokio::spawn(async move {
            server.ready().await;
            if server.holds().any() {
                let _ = peer.notify_tool_list_changed().await;
            }
        });
    }

    fn is_structured(&self, context: &RequestContext<RoleServer>) -> bool {
        self.settings.structured.is_for_client(context.client_info().map(|client| client.name).as_deref())
    }

    /// Runs on a thread that may wait for files, as one of a few.
    async fn blocking<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Settings) -> R + Send + 'static,
    ) -> Result<R, tokio::task::JoinError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("it is never closed");
        let settings = Arc::clone(&self.settings);
        tokio::task::spawn_blocking(move || {
            let result = work(&settings);
            drop(permit);
            result
        })
        .await
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("contextpack", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // Which tools there are depends on the tree, but no client waits long for its list.
        if tokio::time::timeout(LIST_PATIENCE, self.ready()).await.is_err() {
            self.list_again_when_ready(context.peer.clone());
        }
        Ok(ListToolsResult::with_all_items(tools(self.is_structured(&context), self.holds(), self.settings.tools)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = named(&request.name) else {
            return Err(ErrorData::invalid_params(no_tool(&request.name), None));
        };
        let is_structured = self.is_structured(&context);
        let arguments = request.arguments.unwrap_or_default();
        let (sender, steps) = unbounded_channel();
        let work = self.blocking(move |settings| {
            let progress = reporter(sender);
            call(settings, &tool, arguments, is_structured, &progress)
        });
        let work = progressing(work, steps, &context);
        let result = tokio::select! {
            result = work => result,
            // The work goes on to its end, and its result is dropped.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        Ok(result.unwrap_or_else(|_| broken(is_structured)).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.blocking(move |settings| resources::list(settings, cursor.as_deref())).await.map_err(internal)?
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.blocking(move |settings| resources::read(settings, &request.uri)).await.map_err(internal)?;
        Ok(read?.into())
    }

    /// A known method comes here when its parameters have not the protocol's form.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params("`name` has to be a text and `arguments` an object", None),
            "resources/read" => ErrorData::invalid_params("`uri` has to be a text", None),
            method => {
                ErrorData::new(ProtocolCode::METHOD_NOT_FOUND, format!("there is no method {}", quoted(method)), None)
            }
        })
    }
}

/// Many threads report progress; one task sends it to the client.
fn reporter(steps: UnboundedSender<(u32, String)>) -> impl Fn(u32, &str) + Sync {
    move |percent, what| drop(steps.send((percent, what.to_string())))
}

/// Tells the client how far the work is, if it asked for that, until it is done.
async fn progressing<R>(
    work: impl Future<Output = R>,
    mut steps: tokio::sync::mpsc::UnboundedReceiver<(u32, String)>,
    context: &RequestContext<RoleServer>,
) -> R {
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    let reporting = async {
        let mut last = 0;
        while let Some((percent, what)) = steps.recv().await {
            // Threads overtake each other; the progress that a client sees only grows.
            if percent > last {
                last = percent;
                let step = ProgressNotificationParam::new(token.clone(), f64::from(percent));
                let _ = context.peer.notify_progress(step.with_total(100.0).with_message(what)).await;
            }
        }
    };
    tokio::pin!(work, reporting);
    let result = tokio::select! {
        result = &mut work => result,
        // The channel closes with the work, so the last step is sent before the result.
        () = &mut reporting => return work.await,
    };
    // A client that has closed its end gets no more progress, but may still read the result.
    let _ = tokio::time::timeout(LAST_STEP, reporting).await;
    result
}

fn broken(is_structured: bool) -> CallToolResult {
    let fault = Fault::new(ErrorCode::Internal, "the call ended without an answer; the server's log says more");
    refused(&fault, Limit::standard(u32::MAX), is_structured)
}

fn internal(_: tokio::task::JoinError) -> ErrorData {
    ErrorData::internal_error("the call ended without an answer", None)
}
