//! The server over HTTP: who is let in, and from where.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::client::World;
use crate::tool::run;

pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(world: &World, options: &[&str]) -> Self {
        Server::listen(world.command().args(options).env("MCP_TOKEN", "s3cret-token\n"))
    }

    /// Starts a server on a port of the system's choice.
    pub fn listen(command: &mut Command) -> Self {
        command.args(["--http", "127.0.0.1:0"]);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("mcp: listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
        Server { address: address.unwrap_or_else(|| panic!("{line}")).to_string(), child }
    }

    /// The status and the body of what it answers.
    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.send("POST", "/mcp", headers, body)
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        // A server that has heard enough may close before it has read all.
        let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer}")), answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn call() -> (Vec<(&'static str, &'static str)>, String) {
    let headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "show")];
    (headers, call_of("show", json!({ "symbol": "Amount" })).1)
}

/// Headers and body of a call without a session.
pub fn call_of(tool: &str, arguments: Value) -> (Vec<(&'static str, String)>, String) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments, "_meta": meta } });
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool)];
    (headers.map(|(name, value)| (name, value.to_string())).to_vec(), body.to_string())
}

#[test]
fn a_call_is_answered_and_only_from_this_machine() {
    let world = World::new();
    let server = Server::start(&world, &[]);
    let (headers, body) = call();
    let with = |more: &[(&'static str, &'static str)]| server.post(&[&headers, more].concat(), &body);
    let (status, answer) = with(&[]);
    assert!(status == 200 && answer.contains("\"isError\":false"), "{answer}");
    assert_eq!(with(&[("Origin", "http://localhost:6274")]).0, 200);
    assert_eq!(with(&[("Origin", "http://evil.example")]).0, 403);
    assert_eq!(with(&[("Origin", "null")]).0, 403);
    assert_eq!(with(&[("Host", "evil.example")]).0, 403, "a name that was made to lead here");
    assert_eq!(with(&[("Host", "evil.example:8808"), ("Origin", "http://evil.example:8808")]).0, 403);
    assert_eq!(server.send("POST", "/", &headers, &body).0, 404);
    assert_eq!(server.send("POST", "/mcp/../etc/passwd", &headers, &body).0, 404);
    assert!(matches!(server.send("PUT", "/mcp", &headers, &body).0, 405));
    assert_eq!(server.post(&headers, &"x".repeat(5 << 20)).0, 413);
    assert!(matches!(server.post(&headers, "{").0, 400 | 415 | 422));
    assert_eq!(with(&[]).0, 200);
}

#[test]
fn a_session_of_an_older_protocol_works() {
    let world = World::new();
    let server = Server::start(&world, &[]);
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" } } });
    let (status, answer) = server.post(&[], &hello.to_string());
    assert_eq!(status, 200, "{answer}");
    let session = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().trim();
    let headers = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-06-18")];
    let hello = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(server.post(&headers, &hello.to_string()).0, 202);
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let (status, answer) = server.post(&headers, &list.to_string());
    assert!(status == 200 && answer.contains("show"), "{answer}");
    assert_eq!(server.send("DELETE", "/mcp", &headers, "").0, 204, "the session is ended");
    assert_eq!(server.post(&headers, &list.to_string()).0, 404, "and gone");
}

#[test]
fn a_token_is_asked_for_where_one_is_set() {
    let world = World::new();
    let server = Server::start(&world, &["--token-env", "MCP_TOKEN"]);
    let (headers, body) = call();
    let with = |value: Option<&'static str>| {
        let more: Vec<(&str, &str)> = value.map(|value| ("Authorization", value)).into_iter().collect();
        server.post(&[&headers[..], &more].concat(), &body).0
    };
    assert_eq!(with(None), 401);
    for wrong in ["Bearer", "Bearer ", "Bearer s3cret", "Bearer s3cret-token1", "Basic s3cret-token", "s3cret-token"] {
        assert_eq!(with(Some(wrong)), 401, "{wrong}");
    }
    assert_eq!(with(Some("Bearer s3cret-token")), 200);
    assert_eq!(with(Some("bearer s3cret-token")), 200);
    let (_, answer) = server.post(&headers, &body);
    assert!(answer.to_lowercase().contains("www-authenticate: bearer"), "{answer}");
}

#[test]
fn it_does_not_listen_to_others_without_a_token() {
    let world = World::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = run(world.command().args(["--http", address]), 2);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("without a token") && said.contains("--token-env"), "{said}");
    }
    let empty = run(world.command().args(["--http", "0.0.0.0:0", "--token-env", "T"]).env("T", " \n"), 2);
    assert!(String::from_utf8_lossy(&empty.stderr).contains("the token is empty"));
    let unset = run(world.command().args(["--http", "0.0.0.0:0", "--token-env", "T"]), 2);
    assert!(String::from_utf8_lossy(&unset.stderr).contains("`T` is not set"));
    run(world.command().args(["--token-env", "T"]), 2);
}

#[test]
fn a_body_that_does_not_come_holds_no_place() {
    let world = World::new();
    let server = Server::start(&world, &[]);
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 50\r\n\r\n{{", server.address);
    // As many as may be open at the same time.
    let mut waiting: Vec<TcpStream> = (0..128).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    waiting.iter_mut().for_each(|stream| stream.write_all(head.as_bytes()).unwrap());
    let (headers, body) = call();
    assert_eq!(server.post(&headers, &body).0, 200, "the next is served");
    let mut said = String::new();
    waiting[0].read_to_string(&mut said).unwrap();
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
}
