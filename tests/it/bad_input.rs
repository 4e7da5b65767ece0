//! Trees and indexes that are not as they should be: a problem record or a clear error, and the old
//! output as it was.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use contextpack::language::Languages;
use contextpack::record::{Artifact, Chunk, File, Problem, ProblemCode};
use contextpack::store::Index;
use tempfile::{TempDir, tempdir};

use crate::tool::{bytes, chunk, contextpack, plant, run};

struct World {
    scratch: TempDir,
}

impl World {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let world = World { scratch: tempdir().unwrap() };
        fs::create_dir(world.tree()).unwrap();
        plant(&world.tree(), files);
        world
    }

    fn tree(&self) -> std::path::PathBuf {
        self.scratch.path().join("tree")
    }

    fn out(&self) -> std::path::PathBuf {
        self.scratch.path().join("out")
    }

    fn chunk(&self, options: &[&str]) -> Index {
        let index = chunk(&self.tree(), &self.out(), options);
        run(contextpack().arg("verify").arg(&index).arg("--deep"), 0);
        Index::open(&index).unwrap()
    }

    /// The codes of all problems, with the path each is about.
    fn problems(&self) -> Vec<(String, ProblemCode)> {
        let index = self.chunk(&[]);
        records::<Problem>(&index)
            .into_iter()
            .map(|problem| (problem.file_rel_path.to_string(), problem.code))
            .collect()
    }
}

fn records<A: Artifact>(index: &Index) -> Vec<A> {
    index.records::<A>().unwrap().map(|record| record.unwrap()).collect()
}

#[test]
fn an_empty_tree() {
    let world = World::new(&[]);
    let index = world.chunk(&[]);
    assert!(records::<File>(&index).is_empty() && records::<Problem>(&index).is_empty());
}

#[test]
fn what_may_not_be_read() {
    let world = World::new(&[("a.py", b"X = 1\n"), ("b.py", b"Y = 1\n"), ("c/d.py", b"Z = 1\n")]);
    for (path, mode) in [("tree/b.py", 0o0), ("tree/c", 0o0), ("tree", 0o755), ("", 0o777)] {
        fs::set_permissions(world.scratch.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = contextpack();
    command.arg("chunk").arg("--source").arg(world.tree()).arg("--out").arg(world.out());
    // Permissions do not bind the superuser, so the run steps down.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(65534).gid(65534);
    }
    run(command.arg("--strict"), 1);
    let found: Vec<_> = records::<Problem>(&Index::open(&world.out()).unwrap());
    let found: Vec<_> = found.iter().map(|problem| (problem.file_rel_path.as_str(), problem.code)).collect();
    assert_eq!(found, [("b.py", ProblemCode::Unreadable), ("c", ProblemCode::Unreadable)]);
    fs::set_permissions(world.tree().join("c"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn nested_a_hundred_thousand_deep_in_every_grammar() {
    const DEEP: usize = 100_000;
    let nests = [
        "(",
        "[",
        "{",
        "f(",
        "a[",
        "{a:",
        "<a>",
        "<",
        "!",
        "-",
        "not ",
        "a.",
        "a.b(",
        "a+",
        "a?b:",
        "a=>",
        "if(a)",
        "if a ",
        "if a then ",
        "do ",
        "begin ",
        "fn a -> ",
        "lambda:",
        "function(){",
        "{|a|",
        "a = ",
        "new ",
        "await ",
        "*",
        "&",
        "> ",
        "- ",
        "\"#{",
        "$(",
        "`${",
        "else if(a){}",
        "class A{",
        "func a(){",
        "((",
        "@a(",
        "a::",
        "\\",
        "/*",
        "\"",
        "'",
        "#",
        "|",
    ];
    let world = World::new(&[]);
    for language in Languages::builtin().iter() {
        let name = language.rule.extensions.first().expect("every language has an ending");
        for (at, nest) in nests.iter().enumerate() {
            plant(
                &world.tree(),
                &[(&format!("{}/{at}.{name}", language.id()), nest.repeat(DEEP / nest.len()).as_bytes())],
            );
        }
    }
    let index = world.chunk(&["--max-file-bytes", "1000000"]);
    let files = records::<File>(&index);
    assert_eq!(files.len(), nests.len() * Languages::builtin().iter().count());
    assert!(files.iter().all(|file| !file.chunks.is_empty() || !file.marks.is_empty()), "each is cut or marked");
}

#[test]
fn one_line_of_fifty_megabytes() {
    let line = "x = 1; ".repeat(50_000_000 / 7);
    let world = World::new(&[("long.py", line.as_bytes()), ("long.js", line.as_bytes()), ("a.py", b"X = 1\n")]);
    let found = world.problems();
    let large = |path: &str| (path.to_string(), ProblemCode::TooLarge);
    assert_eq!(found, [large("long.js"), large("long.py")]);
    let world = World::new(&[("long.unknown", line.as_bytes())]);
    let chunks: Vec<Chunk> = records(&world.chunk(&["--max-file-bytes", "100000000"]));
    let held: usize = chunks.iter().map(|chunk| chunk.text.len()).sum();
    assert_eq!(held, line.len(), "with the cap raised every byte is in a chunk");
}

#[test]
fn texts_in_every_encoding() {
    let text = "def 挨拶():\r\n    return 'こんにちは、世界。今日は良い天気ですね。日本語の文字列です。'\r\n";
    let utf16 = |mark: u16, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        [mark].into_iter().chain(text.encode_utf16()).flat_map(order).collect()
    };
    let shift_jis = encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    let world = World::new(&[
        ("bom.py", format!("\u{feff}{text}").as_bytes()),
        ("be.py", &utf16(0xFEFF, u16::to_be_bytes)),
        ("le.py", &utf16(0xFEFF, u16::to_le_bytes)),
        ("sjis.py", &shift_jis),
        ("plain.py", text.as_bytes()),
    ]);
    let index = world.chunk(&[]);
    let encodings: Vec<_> = records::<File>(&index).into_iter().map(|file| file.encoding.unwrap()).collect();
    assert_eq!(encodings, ["UTF-16BE", "utf-8-bom", "UTF-16LE", "utf-8", "Shift_JIS"]);
    for chunk in records::<Chunk>(&index) {
        assert_eq!(chunk.text, text, "{}", chunk.file_rel_path);
        assert_eq!(chunk.range.end as usize, text.encode_utf16().count());
        assert_eq!(chunk.byte_range.end as usize, text.len());
        assert_eq!(chunk.lines.end, 2);
    }
}

#[test]
fn nul_bytes_are_not_text() {
    let world = World::new(&[("a.py", b"X = 1\n\0\n"), ("b.py", b"Y = 1\n")]);
    assert_eq!(world.problems(), [("a.py".to_string(), ProblemCode::Binary)]);
}

#[test]
fn names_that_are_hard_to_say() {
    let world = World::new(&[
        ("new\nline.py", b"A = 1\n"),
        ("Same.py", b"B = 1\n"),
        ("same.py", b"C = 1\n"),
        ("back\\slash.py", b"D = 1\n"),
        ("日本語😀.py", b"E = 1\n"),
    ]);
    fs::write(world.tree().join(std::ffi::OsStr::from_bytes(b"caf\xE9.py")), b"F = 1\n").unwrap();
    let index = world.chunk(&[]);
    let paths: Vec<_> = records::<File>(&index).into_iter().map(|file| file.file_rel_path.to_string()).collect();
    let wanted = ["Same.py", "back\\\\slash.py", "caf\\xE9.py", "new\nline.py", "same.py", "日本語😀.py"];
    assert_eq!(paths, wanted);
    assert_eq!(world.problems(), [("same.py".to_string(), ProblemCode::CaseCollision)]);
}

#[test]
fn links_and_pipes() {
    let world = World::new(&[("a/b.py", b"X = 1\n")]);
    let outside = world.scratch.path().join("outside.py");
    fs::write(&outside, "SECRET = 1\n").unwrap();
    symlink("a/b.py", world.tree().join("inside.py")).unwrap();
    symlink("../outside.py", world.tree().join("outside.py")).unwrap();
    symlink("/etc/passwd", world.tree().join("absolute.py")).unwrap();
    symlink("..", world.tree().join("a/loop")).unwrap();
    symlink("nowhere", world.tree().join("broken.py")).unwrap();
    let fifo = std::ffi::CString::new(world.tree().join("pipe.py").as_os_str().as_bytes()).unwrap();
    assert_eq!(unsafe { libc::mkfifo(fifo.as_ptr(), 0o644) }, 0);
    let said = |path: &str, code| (path.to_string(), code);
    assert_eq!(
        world.problems(),
        [
            said("a/loop", ProblemCode::LinkLoop),
            said("absolute.py", ProblemCode::LinkOutside),
            said("broken.py", ProblemCode::LinkBroken),
            said("inside.py", ProblemCode::LinkInside),
            said("outside.py", ProblemCode::LinkOutside),
            said("pipe.py", ProblemCode::NotAFile),
        ]
    );
    for content in bytes(&world.out()).values() {
        assert!(!content.windows(6).any(|window| window == b"SECRET"));
    }
}

#[test]
fn a_disk_that_takes_no_more() {
    let world = World::new(&[("a.py", b"X = 1\n")]);
    world.chunk(&[]);
    let before = bytes(&world.out());
    let noise: String = (0..20_000u32).map(|at| format!("v{:x} = {}\n", at.wrapping_mul(2_654_435_761), at)).collect();
    plant(&world.tree(), &[("b.py", noise.as_bytes())]);
    // A limit on the size of any file stands in for a full disk: the write fails with an error.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" chunk --source \"$1\" --out \"$2\"";
    let mut command = Command::new("bash");
    command.args(["-c", script]).arg(contextpack().get_program()).arg(world.tree()).arg(world.out());
    let output = run(&mut command, 2);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.starts_with("chunk: cannot write `"), "{stderr}");
    let after = bytes(&world.out());
    assert_eq!(
        after.into_iter().filter(|(name, _)| before.contains_key(name)).collect::<std::collections::BTreeMap<_, _>>(),
        before
    );
    run(contextpack().arg("verify").arg(world.out()).arg("--deep"), 0);
}

#[test]
fn a_damaged_index_is_named_and_then_mended() {
    let source: String = (0..300).map(|at| format!("def f{at}(x):\n    return g{at}(x)\n\n\n")).collect();
    let world = World::new(&[("a.py", source.as_bytes())]);
    world.chunk(&[]);
    let whole = bytes(&world.out());
    let pieces: Vec<&String> = whole.keys().filter(|name| name.ends_with(".zst") || *name == "manifest.json").collect();
    assert!(pieces.len() >= 5);
    for piece in pieces {
        for damage in [Damage::Cut, Damage::Flip, Damage::Gone, Damage::Bomb] {
            damage.inflict(&world.out().join(piece), &whole[piece]);
            let code = if matches!(damage, Damage::Gone) && piece == "manifest.json" { 2 } else { 1 };
            let verdict = run(contextpack().arg("verify").arg(world.out()), code);
            let said = [verdict.stdout, verdict.stderr].concat();
            assert!(String::from_utf8_lossy(&said).contains(piece.as_str()), "{piece} {damage:?}");
            chunk(&world.tree(), &world.out(), &[]);
            assert!(bytes(&world.out()) == whole, "{piece} {damage:?} is mended by the next run");
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Damage {
    Cut,
    Flip,
    Gone,
    /// A frame that says little and unpacks to a gigabyte.
    Bomb,
}

impl Damage {
    fn inflict(self, path: &Path, content: &[u8]) {
        let mut damaged = content.to_vec();
        match self {
            Damage::Cut => damaged.truncate(content.len() / 2),
            Damage::Flip => damaged[content.len() / 2] ^= 1,
            Damage::Gone => return fs::remove_file(path).unwrap(),
            Damage::Bomb => damaged = zstd::bulk::compress(&vec![b'a'; 64 << 20], 1).unwrap(),
        }
        fs::write(path, damaged).unwrap();
    }
}

#[test]
fn another_version_says_which_stage_to_rerun() {
    let world = World::new(&[("a.py", b"X = 1\n")]);
    world.chunk(&[]);
    let manifest = world.out().join("manifest.json");
    let newer = fs::read_to_string(&manifest)
        .unwrap()
        .replace("\"schemaVersion\":2,\"settings\"", "\"schemaVersion\":9,\"settings\"");
    fs::write(&manifest, newer).unwrap();
    let refused = run(contextpack().arg("cat").arg(world.out()).arg("files"), 2);
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("version 9") && stderr.contains("hint: rerun `contextpack chunk`"), "{stderr}");
}

#[test]
fn two_writers_do_not_mix() {
    let world = World::new(&[("a.py", b"X = 1\n")]);
    fs::create_dir(world.out()).unwrap();
    let lock = fs::File::create(world.out().join(".lock")).unwrap();
    lock.lock().unwrap();
    fs::write(world.out().join(".lock"), "4242").unwrap();
    let mut command = contextpack();
    command.args(["chunk", "--no-wait", "--source"]).arg(world.tree()).arg("--out").arg(world.out());
    let refused = run(&mut command, 2);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("4242"));
    let mut command = contextpack();
    command.args(["chunk", "--source"]).arg(world.tree()).arg("--out").arg(world.out());
    let mut waiting = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut stderr = BufReader::new(waiting.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    assert!(said.contains("waiting for process 4242"), "{said}");
    lock.unlock().unwrap();
    assert!(waiting.wait().unwrap().success());
    run(contextpack().arg("verify").arg(world.out()).arg("--deep"), 0);
}
