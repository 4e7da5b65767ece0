//! The write gate: denied, unless everything holds.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use super::world::{World, whole_claims};

#[test]
fn a24_nothing_is_written_before_ready() {
    let world = World::new();
    world.start("ログイン機能直して", "n");
    assert_eq!(world.denial("n", "auth/service.py"), "phase");
    world.call("n", "read", "auth/service.py");
    assert_eq!(world.denial("n", "auth/service.py"), "phase");
}

#[test]
fn a24_only_files_that_were_seen_are_written() {
    let world = World::new();
    world.ready("w");
    let tree = world.tree();
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), tree.join("out")).unwrap();
    symlink("store/users.py", tree.join("unseen.py")).unwrap();
    symlink("auth/service.py", tree.join("seen.py")).unwrap();
    symlink("auth", tree.join("gate")).unwrap();
    symlink("../../..", tree.join("auth/up")).unwrap();
    fs::create_dir(tree.join(".git")).unwrap();
    let inside = |path: &str| tree.canonicalize().unwrap().join(path).to_str().unwrap().to_string();
    let cases = [
        ("auth/service.py", ""),
        ("store/service.py", "not_explored"),
        ("auth/../auth/service.py", ""),
        ("./auth//service.py", ""),
        ("../x", "outside"),
        (".", "outside"),
        ("/etc/hosts", "outside"),
        ("out/x.py", "link_outside"),
        ("auth/up/x.py", "link_outside"),
        ("unseen.py", "not_explored"),
        ("seen.py", ""),
        ("gate/service.py", ""),
        ("Auth/Service.py", "twin"),
        ("auth/Service.py", "twin"),
        (".git/config", "reserved"),
        (".GIT/config", "reserved"),
        ("build/out.py", "not_indexed"),
        ("build/new.py", "not_indexed"),
        ("auth", "not_explored"),
        ("auth/other.py", "not_declared"),
        ("auth/session.py", ""),
        ("auth/service.py/x", "unreadable"),
    ];
    for (path, expected) in cases {
        assert_eq!(world.denial("w", path), expected, "{path}");
    }
    assert_eq!(world.denial("w", &inside("auth/token.py")), "");
    assert_eq!(world.denial("w", &inside("store/users.py")), "not_explored");
}

#[test]
fn a24_names_that_differ_by_unicode_form_are_twins() {
    let world = World::new();
    fs::write(world.tree().join("auth/ガ.py"), "x = 1\n").unwrap();
    world.start("ログイン機能直して", "u");
    world.ready("r");
    assert_eq!(world.denial("r", "auth/カ\u{3099}.py"), "twin");
}

#[test]
fn a24_what_has_changed_since_it_was_seen_is_stale() {
    let world = World::new();
    world.ready("s");
    let path = world.tree().join("controllers/login.py");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n# by somebody else\n")).unwrap();
    assert_eq!(world.denial("s", "controllers/login.py"), "stale");
    fs::write(&path, &text).unwrap();
    assert_eq!(world.denial("s", "controllers/login.py"), "");
    fs::write(&path, format!("{text}\n# by this session\n")).unwrap();
    assert_eq!(world.denial("s", "controllers/login.py"), "", "it was allowed before");
    let cited = world.tree().join("auth/token.py");
    let text = fs::read_to_string(&cited).unwrap();
    fs::write(&cited, text + "\n").unwrap();
    assert_eq!(world.denial("s", "routes.py"), "stale", "evidence comes from a file that has changed");
}

#[test]
fn a24_new_files_are_announced_and_do_not_exist() {
    let world = World::new();
    world.ready("d");
    let path = world.tree().join("auth/session.py");
    fs::write(&path, "x = 1\n").unwrap();
    assert_eq!(world.denial("d", "auth/session.py"), "not_explored", "meanwhile it is there");
    fs::remove_file(&path).unwrap();
    assert_eq!(world.denial("d", "auth/session.py"), "");
    fs::write(&path, "x = 1\n").unwrap();
    assert_eq!(world.denial("d", "auth/session.py"), "", "this session was allowed to make it");
    for wrong in ["routes.py", "../x.py", "nowhere/x.py", "build/x.py", "store/Users.py"] {
        let mut claims = whole_claims();
        claims["new_files"] = json!([wrong]);
        let answer = world.step("submit", "d", claims);
        let is_known = wrong == "nowhere/x.py";
        assert_eq!(answer.code, i32::from(!is_known), "{wrong}: {answer:?}");
        assert_eq!(answer.text.contains("bad_path"), !is_known, "{wrong}");
    }
}

#[test]
fn a24_what_cannot_be_looked_at_is_denied() {
    let world = World::new();
    world.ready("x");
    let log = world.log("x");
    let bytes = fs::read(&log).unwrap();
    let mut damaged = bytes.clone();
    damaged[500] ^= 1;
    fs::write(&log, &damaged).unwrap();
    let answer = world.run(&["check-write", "x", "auth/service.py"]);
    assert!(
        answer.code == 2 && answer.error.contains("POC_E_SESSION_CORRUPT") && answer.error.contains("line 1"),
        "{answer:?}"
    );
    fs::write(&log, &bytes).unwrap();
    assert_eq!(world.denial("x", "auth/service.py"), "");
    // Root reads everything, so the rights say nothing there.
    if unsafe { libc::geteuid() } != 0 {
        let folder = world.tree().join("auth");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
        let denial = world.denial("x", "auth/service.py");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(["unreadable", "stale"].contains(&denial.as_str()), "{denial}");
    }
}

#[test]
fn a25_a_hook_answers_with_0_or_2() {
    let world = World::new();
    world.ready("k");
    let tree = world.tree().canonicalize().unwrap();
    let absolute = |path: &str| tree.join(path).to_str().unwrap().to_string();
    let hook = |call: &str| world.fed(&["check-write", "--hook"], call);
    let call = |path: &str| {
        json!({ "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": { "file_path": path } }).to_string()
    };
    let allowed = hook(&call(&absolute("auth/service.py")));
    assert_eq!((allowed.code, allowed.text.as_str()), (0, ""), "{allowed:?}");
    let denied = hook(&call(&absolute("store/users.py")));
    assert!(denied.code == 2 && denied.error.contains("not_explored"), "{denied:?}");
    let relative = json!({ "cwd": tree, "tool_input": { "file_path": "auth/token.py" } }).to_string();
    assert_eq!(hook(&relative).code, 0);
    let both = json!({ "tool_input": { "edits": [{ "file_path": absolute("auth/token.py") }, { "file_path": absolute("store/users.py") }] } });
    assert_eq!(hook(&both.to_string()).code, 2);
    for wrong in [
        "",
        "{}",
        "not JSON",
        "{\"tool_input\": {\"file_path\": 3}}",
        "[]",
        "{\"tool_input\": {\"command\": \"ls\"}}",
        "{\"tool_input\": {\"file_path\": \"auth/service.py\\u0000\"}}",
    ] {
        assert_eq!(hook(wrong).code, 2, "{wrong}");
    }
    world.start("another request", "l");
    assert_eq!(hook(&call(&absolute("auth/service.py"))).code, 2, "two sessions are open");
    assert_eq!(world.fed(&["check-write", "k", "--hook"], &call(&absolute("auth/service.py"))).code, 0);
    fs::write(world.log("k"), "x").unwrap();
    assert_eq!(world.fed(&["check-write", "k", "--hook"], &call(&absolute("auth/service.py"))).code, 2);
}
