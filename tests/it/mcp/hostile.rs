//! A thousand calls that no honest client makes: none reads what lies outside of the root, none ends the server.

use std::fs;

use serde_json::{Value, json};

use super::client::World;

/// What no reply may hold, since no call does.
const CANARY: &str = "canary-7f3a91-outside-of-the-root";

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn plant(world: &World) {
    let outside = world.folder.path().join("secret.py");
    fs::write(&outside, format!("def canary_function():\n    return '{CANARY}'\n")).unwrap();
    let folder = world.folder.path().join("secrets");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("REQ-666.md"),
        format!("---\nid: REQ-666\nspec_title: {CANARY}\n---\n\n## LLM_BRIEF\n\n{CANARY}\n"),
    )
    .unwrap();
    std::os::unix::fs::symlink(&outside, world.tree().join("link.py")).unwrap();
    std::os::unix::fs::symlink(&folder, world.tree().join("linked")).unwrap();
    std::os::unix::fs::symlink("../secrets/REQ-666.md", world.tree().join("REQ-666.md")).unwrap();
}

fn texts(world: &World) -> Vec<String> {
    let outside = world.folder.path().join("secret.py");
    let mut texts: Vec<String> = [
        "../secret.py",
        "../../../../etc/passwd",
        "/etc/passwd",
        "file:../secret.py",
        "file:/etc/passwd",
        "file:link.py",
        "linked/REQ-666.md",
        "link.py",
        "file:linked/REQ-666.md",
        "..%2fsecret.py",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "file:..%2fsecret.py",
        "shop/../../secret.py",
        "file:shop/orders/../../../secret.py",
        "secret.py\0.md",
        "\0",
        "$(cat ../secret.py)",
        "`cat ../secret.py`",
        "; cat ../secret.py #",
        "| cat ../secret.py",
        "&& cat /etc/passwd",
        "'; DROP TABLE packs; --",
        "{{7*7}}",
        "${jndi:ldap://x}",
        "%s%s%s%n",
        "REQ-666",
        "canary_function",
        "symbol:../secret.py",
        "symbol:scip:contextpack . . . `../secret.py`/",
        "chunk:xxh64:zzzz",
        "chunk:",
        "file:",
        ":",
        "pack:../../secret",
        "pack:00000000000000000000000000000000",
        "pack:\u{202e}",
        "~/.ssh/id_rsa",
        "\\\\host\\share",
        "file:///etc/passwd",
        "C:\\Windows\\win.ini",
        "/proc/self/environ",
        "/dev/zero",
        "file:/dev/stdin",
        "",
        " ",
        "\n\n\n",
        "日本語\u{fffd}😀",
        "\u{feff}",
        "a\u{301}\u{301}\u{301}",
        "<|endoftext|>",
        "```\n# Context\n",
        "</context>",
        "-1",
        "NaN",
    ]
    .map(str::to_string)
    .into();
    texts.push(outside.to_str().unwrap().to_string());
    texts.push(format!("file:{}", outside.display()));
    texts.push("../".repeat(500) + "etc/passwd");
    texts.push("A".repeat(300_000));
    texts.push("😀 ".repeat(5_000));
    texts.push("(".repeat(20_000));
    texts.push("a.".repeat(20_000));
    texts
}

fn value(dice: &mut Dice, texts: &[String]) -> Value {
    match dice.below(16) {
        0 => json!(dice.below(1_000_000)),
        1 => json!(-1),
        2 => json!(1e308),
        3 => json!(u64::MAX),
        4 => json!(0.5),
        5 => json!(dice.below(2) == 0),
        6 => Value::Null,
        7 => json!({ "a": { "b": [dice.pick(texts)] } }),
        8 => json!(many(dice, texts)),
        9 => (0..60).fold(json!(dice.pick(texts)), |inner, _| json!([inner])),
        10 => json!([dice.pick(texts), 3, null, { "x": 1 }]),
        _ => json!(dice.pick(texts)),
    }
}

/// Of what is long, fewer: a message of more than 16 MiB is no message.
fn many<'t>(dice: &mut Dice, texts: &'t [String]) -> Vec<&'t String> {
    let (text, count) = (dice.pick(texts), dice.below(400));
    vec![text; count.min(2_000_000 / (text.len() + 1))]
}

fn request(dice: &mut Dice, texts: &[String]) -> Value {
    let mut fields = serde_json::Map::new();
    for _ in 0..dice.below(4) {
        let name = *dice.pick(&[
            "query",
            "budgets",
            "expansion",
            "focus",
            "indexRoot",
            "repoId",
            "seedMode",
            "tokenizer",
            "x",
        ]);
        let inner =
            *dice.pick(&["maxTotalTokens", "maxItems", "maxHops", "fileRelPath", "symbolId", "chunkUid", "edgeTypes"]);
        let value = value(dice, texts);
        fields.insert(name.to_string(), if dice.below(2) == 0 { value } else { json!({ inner: value }) });
    }
    Value::Object(fields)
}

/// Names of the tool's own with values that are not, and some of neither.
fn arguments(dice: &mut Dice, texts: &[String]) -> Value {
    let names = [
        "query",
        "focus",
        "intent",
        "max_tokens",
        "format",
        "root",
        "pack_id",
        "offset",
        "ids",
        "depth",
        "direction",
        "roles",
        "scopes",
        "strategy",
        "with_code",
        "symbol",
        "views",
        "hops",
        "fanout",
        "what",
        "text",
        "regex",
        "path",
        "exclude",
        "lang",
        "no_tests",
        "cursor",
    ];
    let mut arguments = serde_json::Map::new();
    for _ in 0..dice.below(5) {
        arguments.insert((*dice.pick(&names)).to_string(), value(dice, texts));
    }
    if dice.below(4) == 0 {
        arguments.insert("request".to_string(), request(dice, texts));
    }
    if dice.below(8) == 0 {
        arguments.insert(dice.pick(texts).chars().take(2_000).collect(), value(dice, texts));
    }
    Value::Object(arguments)
}

const TOOLS: &[&str] = &["pack", "context_pack.get", "read", "search", "outline", "spec_context", "show"];

/// A path or a name, some with lines. Half of them are in the tree, so that odd lines are tried on a file that is there.
fn place(dice: &mut Dice, texts: &[String]) -> String {
    let text: String = match dice.below(2) {
        0 => "shop/orders/order.py".to_string(),
        _ => dice.pick(texts).chars().take(4_000).collect(),
    };
    text + *dice.pick(&["", "", ":1", ":1-5", "#L1-L9", ":9-1", ":4294967295-4294967295", "::Amount"])
}

/// With what its tool needs, so that more of them get as far as the index.
fn aimed(dice: &mut Dice, texts: &[String], id: &Value) -> (&'static str, Value) {
    let tool = *dice.pick(TOOLS);
    let name = *dice.pick(match tool {
        "pack" => &["query", "query", "focus", "request"],
        "context_pack.get" => &["pack_id", "offset", "root", "format"],
        "read" => &["what", "what", "what", "root"],
        "search" => &["text", "path", "lang", "cursor"],
        "outline" => &["path", "path", "path", "offset"],
        "spec_context" => &["ids", "ids", "scopes", "roles"],
        _ => &["symbol", "symbol", "views", "root"],
    });
    let given = match name {
        "request" => request(dice, texts),
        "ids" => json!(["REQ-201", dice.pick(texts)]),
        "what" => json!([place(dice, texts)]),
        "offset" => json!(dice.below(3_000)),
        _ => json!(dice.pick(texts)),
    };
    let mut arguments = match tool {
        "pack" => json!({ "query": "order", "max_tokens": 400 }),
        "context_pack.get" => json!({ "pack_id": id }),
        "read" => json!({ "what": "Amount", "max_tokens": 400 }),
        "search" => json!({ "text": "order", "regex": dice.below(2) == 0, "max_tokens": 400 }),
        "outline" => json!({ "max_tokens": 400 }),
        "spec_context" => json!({ "ids": ["REQ-201"], "max_tokens": 400 }),
        _ => json!({ "symbol": "Amount" }),
    };
    arguments[name] = given;
    (tool, arguments)
}

/// Lines that are no request at all; none of them may end the session.
fn noise(dice: &mut Dice) -> Vec<u8> {
    match dice.below(10) {
        0 => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\xfe\"}}".to_vec(),
        1 => b"{\"jsonrpc\":\"2.0\",\"id\":".to_vec(),
        2 => ["[".repeat(100_000).into_bytes(), b"1".to_vec()].concat(),
        3 => b"\0\0\0\0".to_vec(),
        4 => b"[]".to_vec(),
        5 => b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":999999}}".to_vec(),
        6 => b"{\"jsonrpc\":\"1.0\",\"id\":null,\"method\":42}".to_vec(),
        7 => b"Content-Length: 10\r\n\r".to_vec(),
        8 => vec![b' '; 70_000],
        _ => [b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"".to_vec(), vec![b'a'; 17 << 20], b"\"}".to_vec()].concat(),
    }
}

#[test]
fn a_thousand_hostile_calls_neither_escape_nor_crash() {
    let world = World::new();
    plant(&world);
    let texts = texts(&world);
    let mut client = world.start(&[]);
    let id = client.call("pack", json!({ "query": "order" })).fact("packId").clone();
    let (mut dice, mut refused, mut answered) = (Dice(20_261_116), 0, 0);
    for number in 0..1_000 {
        if number % 20 == 0 {
            client.write(&noise(&mut dice));
        }
        let (tool, arguments) = match dice.below(3) {
            0 | 1 => aimed(&mut dice, &texts, &id),
            _ => {
                let tool = *dice.pick(TOOLS);
                (tool, arguments(&mut dice, &texts))
            }
        };
        let answer = match dice.below(25) {
            0 => client.ask("resources/read", json!({ "uri": format!("contextpack://packs/{}", dice.pick(&texts)) })),
            1 => client.ask("tools/call", json!({ "name": dice.pick(&texts), "arguments": arguments })),
            _ => client.ask("tools/call", json!({ "name": tool, "arguments": arguments })),
        };
        let printed = answer.to_string();
        let escaped = [CANARY, "root:x:0:0"].iter().any(|secret| printed.contains(secret));
        let broken = printed.contains("POC_E_INTERNAL");
        let shown: String = arguments.to_string().chars().take(500).collect();
        assert!(!escaped && !broken, "{number}: {tool} {shown}: {printed}");
        match answer["result"]["isError"] == false {
            true => answered += 1,
            false => refused += 1,
        }
    }
    println!("{answered} answered, {refused} refused");
    assert!(answered > 200 && refused > 200);
    let last = client.call("show", json!({ "symbol": "Amount" }));
    assert!(!last.failed(), "{last:?}");
    assert_eq!(client.end(), Some(0));
}
