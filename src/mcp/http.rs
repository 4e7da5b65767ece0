//! The server over HTTP. Beyond this machine it wants a bearer token; on it, it answers no page of another site: a
//! browser that was led here by name (DNS rebinding) says so in `Host`, and one that asks for a page in `Origin`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONNECTION, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::server::Server;
use super::{Client, ServeError};

/// The one path that there is.
const PATH: &str = "/mcp";
/// A query of the longest kind with the rest of its request.
const MAX_BODY_BYTES: usize = 4 << 20;
const MAX_CONNECTIONS: usize = 128;
const HEADER_SECONDS: u64 = 15;
/// A body is small, and follows its head at once.
const BODY_SECONDS: u64 = 10;

/// Where to listen, and who may call from where.
pub struct HttpSettings {
    pub address: SocketAddr,
    /// Names in `Host` besides this machine's own.
    pub hosts: Vec<String>,
    /// Of pages that may call, besides those of this machine.
    pub origins: Vec<String>,
}

/// Only its hash is kept, so that comparing takes as long for every wrong one.
pub struct Token(blake3::Hash);

impl Token {
    pub fn new(token: &str) -> Option<Self> {
        let token = token.trim();
        (!token.is_empty()).then(|| Token(blake3::hash(token.as_bytes())))
    }

    fn is(&self, given: &str) -> bool {
        // Such hashes are compared in constant time.
        self.0 == blake3::hash(given.as_bytes())
    }
}

impl HttpSettings {
    /// Whoever can reach it could read the trees.
    pub fn check(&self, clients: &[Client]) -> Result<(), ServeError> {
        let is_open = clients.iter().any(|client| client.token.is_none());
        match is_open && !self.address.ip().is_loopback() {
            true => Err(ServeError::NoToken(self.address)),
            false => Ok(()),
        }
    }

    fn config(&self) -> StreamableHttpServerConfig {
        let config = StreamableHttpServerConfig::default().with_max_request_body_bytes(MAX_BODY_BYTES);
        let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_string);
        let config = config.with_allowed_origins(origins.into_iter().chain(self.origins.iter().cloned()));
        let config = config.enforce_origin_validation();
        match (self.address.ip().is_loopback(), self.hosts.is_empty()) {
            // Beyond this machine any name may be its own; the token tells.
            (false, true) => config.disable_allowed_hosts(),
            _ => {
                let own = [self.address.ip().to_string(), "localhost".into(), "127.0.0.1".into(), "::1".into()];
                config.with_allowed_hosts(own.into_iter().chain(self.hosts.iter().cloned()))
            }
        }
    }
}

/// Serves until the process ends.
pub async fn listen(clients: Vec<Client>, settings: HttpSettings) -> Result<(), ServeError> {
    settings.check(&clients)?;
    let cannot = |source| ServeError::Listen { address: settings.address, source };
    let listener = TcpListener::bind(settings.address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    eprintln!("mcp: listening on http://{address}{PATH}");
    // After that line, which scripts wait for.
    let gateway =
        Arc::new(Gateway { entrances: clients.into_iter().map(|client| entrance(client, &settings)).collect() });
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&permits).acquire_owned().await.expect("it is never closed");
        // One that is gone before it was taken, or too many open files: the next may do.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let gateway = Arc::clone(&gateway);
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let gateway = Arc::clone(&gateway);
                async move { Ok::<_, Infallible>(gateway.answer(request).await) }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(HEADER_SECONDS));
            let _ = http.serve_connection(TokioIo::new(stream), answer).await;
            drop(permit);
        });
    }
}

/// A client's own server: neither sessions nor anything that is kept are shared between tokens.
fn entrance(client: Client, settings: &HttpSettings) -> Entrance {
    let server = Server::new(client.settings);
    server.build_indexes();
    let make = move || Ok(server.clone());
    let service = StreamableHttpService::new(make, Arc::new(LocalSessionManager::default()), settings.config());
    Entrance { token: client.token, service }
}

struct Gateway {
    entrances: Vec<Entrance>,
}

struct Entrance {
    token: Option<Token>,
    service: StreamableHttpService<Server, LocalSessionManager>,
}

impl Gateway {
    async fn answer(&self, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
        if request.uri().path().trim_end_matches('/') != PATH {
            return said(StatusCode::NOT_FOUND, "the path is /mcp");
        }
        let Some(entrance) = self.entrance(&request) else {
            let mut response = said(StatusCode::UNAUTHORIZED, "a bearer token is needed");
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return response;
        };
        let ends = request.method() == Method::DELETE;
        let request = match whole(request).await {
            Ok(request) => request,
            Err(refused) => return refused,
        };
        let mut response = entrance.service.handle(request).await;
        // A session is gone when this is said; clients take "accepted" for a failure.
        if ends && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        response
    }

    /// Every token is compared, so that the answer takes as long for each.
    fn entrance(&self, request: &Request<Incoming>) -> Option<&Entrance> {
        let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given =
            given.and_then(|value| value.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        let given = given.map(|(_, given)| given.trim());
        let opens = |entrance: &&Entrance| {
            entrance.token.as_ref().is_none_or(|token| given.is_some_and(|given| token.is(given)))
        };
        let open: Vec<&Entrance> = self.entrances.iter().filter(opens).collect();
        open.first().copied()
    }
}

/// The request with all of its body. One that does not come would hold a permit for ever.
async fn whole(request: Request<Incoming>) -> Result<Request<Full<Bytes>>, Response<BoxBody<Bytes, Infallible>>> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, MAX_BODY_BYTES).collect();
    let refused = match tokio::time::timeout(Duration::from_secs(BODY_SECONDS), body).await {
        Ok(Ok(body)) => return Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            said(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large")
        }
        Ok(Err(_)) => said(StatusCode::BAD_REQUEST, "the body cannot be read"),
        Err(_) => said(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"),
    };
    Err(closing(refused))
}

/// What is left of the body is not waited for.
fn closing(mut response: Response<BoxBody<Bytes, Infallible>>) -> Response<BoxBody<Bytes, Infallible>> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn said(status: StatusCode, text: &'static str) -> Response<BoxBody<Bytes, Infallible>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}
