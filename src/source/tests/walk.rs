use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::*;

/// Builds a tree of ignore files (which hold their rules) and empty files, and lists what is left.
fn check_ignored(ignore_files: &[(&str, &str)], files: &str, expected: &str) {
    let tree = Tree::new(ignore_files);
    for file in files.split(' ') {
        tree.write(file, "");
    }
    let names = tree.names();
    let left: Vec<&str> = names.split(' ').filter(|name| !name.ends_with("ignore")).collect();
    assert_eq!(left.join(" "), expected);
}

#[test]
fn lists_files_in_the_order_of_their_paths() {
    let tree = Tree::new(&[("b/x", "123"), ("b.c", ""), ("a", "1"), (".hidden/f", ""), ("b/a/y", "")]);
    assert_eq!(tree.names(), ".hidden/f a b.c b/a/y b/x");
    assert_eq!(tree.walk().files[4].bytes, 3);
    assert_eq!(tree.problems(), "");
}

#[test]
fn an_ignore_rule_leaves_out_and_is_counted() {
    let tree =
        Tree::new(&[(".gitignore", "build/\n*.o\n"), ("build/a/b", ""), ("build/c", ""), ("x.o", ""), ("x.c", "")]);
    assert_eq!(tree.names(), ".gitignore x.c");
    assert_eq!((tree.walk().ignored, tree.walk().problems), (2, vec![]));
}

#[test]
fn a_later_ignore_file_wins() {
    check_ignored(&[(".gitignore", "*.log"), (".ignore", "!keep.log")], "a.log keep.log", "keep.log");
    check_ignored(&[(".ignore", "!x"), (".contextpackignore", "x"), (".gitignore", "x")], "x y", "y");
    check_ignored(&[(".contextpackignore", "!x"), (".ignore", "x")], "x", "x");
}

#[test]
fn a_deeper_folder_wins() {
    check_ignored(
        &[(".gitignore", "*.log"), ("a/.gitignore", "!*.log")],
        "x.log a/x.log a/b/x.log",
        "a/b/x.log a/x.log",
    );
    check_ignored(&[("a/.gitignore", "x")], "x a/x a/b/x b/x", "b/x x");
    check_ignored(&[("a/.gitignore", "/x")], "x a/x a/b/x", "a/b/x x");
    check_ignored(&[(".contextpackignore", "x"), ("a/.gitignore", "!x")], "x a/x", "a/x");
}

#[test]
fn rules_read_as_with_git() {
    check_ignored(&[(".gitignore", "*\n!*/\n!*.rs\n")], "a.rs a.c d/a.rs d/a.c", "a.rs d/a.rs");
    check_ignored(&[(".gitignore", "d/\n!d/keep\n")], "d/keep e", "e");
    check_ignored(&[(".gitignore", "d/*\n!d/keep\n")], "d/keep d/drop e", "d/keep e");
    check_ignored(&[(".gitignore", "a/**/z\n")], "a/z a/b/z a/b/c/z z", "z");
    check_ignored(&[(".gitignore", "foo/\n")], "foo bar/foo/x", "foo");
    check_ignored(&[(".gitignore", "# x\n\\#y\n\\!z\n")], "# #y !z x", "# x");
    check_ignored(&[(".gitignore", "\u{feff}x\r\ny  \r\n")], "x y z", "z");
    check_ignored(&[(".gitignore", "[\nx\n{\n")], "x y", "y");
    check_ignored(&[(".gitignore", "*.{c,h}\n\\{x\n[{]y\n")], "a.c a.{c,h} {x {y", "a.c");
    check_ignored(&[(".gitignore", "x\n!\n")], "x y", "y");
    check_ignored(&[(".gitignore", "d/x\n")], "d/x e/d/x", "e/d/x");
}

#[test]
fn a_rule_is_not_case_blind() {
    check_ignored(&[(".gitignore", "*.LOG")], "a.log b.LOG", "a.log");
}

#[test]
fn nothing_outside_the_tree_counts() {
    let tree = Tree::new(&[(".gitignore", "x"), ("t/x", ""), ("t/.git/info/exclude", "y"), ("t/y", "")]);
    let walk = walk(&tree.path("t"), &options()).unwrap();
    assert_eq!(walk.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["x", "y"]);
}

#[test]
fn an_ignore_file_that_is_a_link_or_a_pipe_does_not_count() {
    let tree = Tree::new(&[("rules", "x"), ("x", "")]);
    tree.link(".gitignore", "rules");
    tree.pipe(".ignore");
    assert_eq!(tree.names(), "rules x");
}

#[test]
fn version_control_is_no_part_of_the_tree() {
    let folders = [".git/HEAD", "a/.git/HEAD", ".hg/x", ".svn/x", ".jj/x", "_darcs/x", ".bzr/x", "CVS/Root"];
    let tree = Tree::new(&folders.map(|path| (path, "")));
    tree.write("module/.git", "gitdir: ../.git/modules/module");
    tree.write("docs/CVS", "about");
    assert_eq!((tree.names().as_str(), tree.walk().ignored), ("docs/CVS", 0));
}

#[test]
fn an_excluded_folder_is_left_out() {
    let tree = Tree::new(&[("a", ""), ("out/chunk/x", ""), ("sub/out/y", "")]);
    tree.link("linked", "out");
    let left = |exclude: &str| {
        let options = WalkOptions { exclude: vec![tree.path(exclude)], ..options() };
        let walk = walk(tree.root(), &options).unwrap();
        (walk.files.len(), walk.problems.len(), walk.ignored)
    };
    assert_eq!(left("out"), (2, 1, 0));
    assert_eq!(left("sub/../out/"), (2, 1, 0));
    assert_eq!(left("linked"), (2, 0, 0));
    assert_eq!(left("missing"), (3, 1, 0));
    assert_eq!(left("missing/deeper"), (3, 1, 0));
    assert_eq!(left(".."), (3, 1, 0));
}

#[test]
fn each_link_is_a_problem_that_says_where_it_leads() {
    let tree = Tree::new(&[("src/a", ""), (".gitignore", "built\n"), ("built/x", "")]);
    tree.link("file", "src/a");
    tree.link("folder", "./src/");
    tree.link("src/up", "../src/a");
    tree.link("twice", "folder/up");
    tree.link("gone", "src/b");
    tree.link("slash", "src/a/");
    tree.link("to_built", "built/x");
    tree.link("home", "/home/someone/x");
    tree.link("src/out", "../../elsewhere");
    tree.link("through_home", "home/y");
    tree.link("src/root", "..");
    tree.link("here", ".");
    tree.link("me", "me");
    tree.link("one", "two");
    tree.link("two", "one");
    let expected = "\
file LinkInside: points to `src/a`, another place in the tree
folder LinkInside: points to `./src/`, another place in the tree
gone LinkBroken: points to `src/b`, which is not in the tree
here LinkLoop: points to `.`, which leads back to the link
home LinkOutside: points to an absolute path, outside the tree
me LinkLoop: points to `me`, which leads back to the link
one LinkLoop: points to `two`, which leads back to the link
slash LinkBroken: points to `src/a/`, which is not in the tree
src/out LinkOutside: points to `../../elsewhere`, outside the tree
src/root LinkLoop: points to `..`, which leads back to the link
src/up LinkInside: points to `../src/a`, another place in the tree
through_home LinkOutside: points to `home/y`, outside the tree
to_built LinkBroken: points to `built/x`, which is not in the tree
twice LinkInside: points to `folder/up`, another place in the tree
two LinkLoop: points to `one`, which leads back to the link";
    assert_eq!(tree.problems(), expected);
    assert_eq!(tree.names(), ".gitignore src/a");
}

#[test]
fn what_a_link_leads_to_does_not_depend_on_the_machine() {
    let tree = Tree::new(&[("tree/a", ""), ("beside", "")]);
    tree.link("tree/by_name", "../tree/a");
    tree.link("tree/beside", "../beside");
    tree.link("tree/absolute", tree.path("tree/a").to_str().unwrap());
    let before = walk(&tree.path("tree"), &options()).unwrap();
    assert!(before.problems.iter().all(|problem| problem.code == crate::record::ProblemCode::LinkOutside));
    std::fs::remove_file(tree.path("beside")).unwrap();
    std::fs::rename(tree.path("tree"), tree.path("moved")).unwrap();
    assert_eq!(walk(&tree.path("moved"), &options()).unwrap(), before);
}

#[test]
fn a_pipe_and_a_socket_are_problems() {
    let tree = Tree::new(&[]);
    tree.pipe("pipe");
    let _socket = std::os::unix::net::UnixListener::bind(tree.path("socket")).unwrap();
    assert_eq!(tree.problems(), "pipe NotAFile: a pipe, socket or device\nsocket NotAFile: a pipe, socket or device");
}

#[test]
fn names_keep_their_bytes() {
    let tree = Tree::new(&[("line\nbreak", ""), ("back\\slash", ""), ("日本", "")]);
    std::fs::write(tree.root().join(OsStr::from_bytes(b"caf\xE9")), "x").unwrap();
    assert_eq!(tree.names(), "back\\\\slash caf\\xE9 line\nbreak 日本");
    let walk = tree.walk();
    assert_eq!(read(tree.root(), &walk.files[1], 10).unwrap().bytes, b"x");
}

#[test]
fn paths_that_differ_in_case_are_told() {
    let tree = Tree::new(&[("A/x", ""), ("a/X", ""), ("a/x", ""), ("Ä", ""), ("ä", ""), ("b", "")]);
    let expected = "\
a/X CaseCollision: differs only in case from `A/x`
a/x CaseCollision: differs only in case from `A/x`
ä CaseCollision: differs only in case from `Ä`";
    assert_eq!(tree.problems(), expected);
}

#[test]
fn no_order_of_the_folder_matters() {
    let tree =
        Tree::new(&[(".gitignore", "x\n"), ("a/.gitignore", "!x\n"), ("A/y", ""), ("a/Y", ""), ("a/x", ""), ("x", "")]);
    for number in 0..40 {
        tree.write(&format!("d{}/f{number}", number % 7), "text");
        tree.link(&format!("l{number}"), &format!("l{}", number + 1));
    }
    for seed in 0..20 {
        let options = WalkOptions { shuffle: Some(seed), ..options() };
        assert_eq!(walk(tree.root(), &options).unwrap(), tree.walk());
    }
}

#[test]
fn a_folder_that_cannot_be_listed_is_a_problem() {
    let tree = Tree::new(&[("open/a", ""), ("shut/b", ""), ("rules/.gitignore", "x"), ("rules/x", "")]);
    set_mode(tree.root(), 0o755);
    set_mode(&tree.path("shut"), 0);
    set_mode(&tree.path("rules/.gitignore"), 0);
    as_nobody(|| {
        assert_eq!(tree.names(), "open/a rules/.gitignore rules/x");
        let expected = "\
rules/.gitignore Unreadable: its rules do not count: permission is denied
shut Unreadable: permission is denied";
        assert_eq!(tree.problems(), expected);
        let error = walk(&tree.path("shut"), &options()).unwrap_err().to_string();
        assert!(error.ends_with("shut`\n  because permission is denied"), "{error}");
    });
    set_mode(&tree.path("shut"), 0o755);
}

#[test]
fn the_deepest_tree_the_system_names_is_walked() {
    let tree = Tree::new(&[]);
    let room = 4000 - tree.root().as_os_str().len();
    let deep = "d/".repeat(room / 2) + "f";
    tree.write(&deep, "");
    assert_eq!(tree.names(), deep);
}

#[test]
fn a_root_may_be_a_link() {
    let tree = Tree::new(&[("real/a", "")]);
    tree.link("link", "real");
    assert_eq!(walk(&tree.path("link"), &options()).unwrap().files.len(), 1);
}

#[test]
fn a_root_that_is_no_folder_is_an_error() {
    let tree = Tree::new(&[("file", "")]);
    let error = |name: &str| walk(&tree.path(name), &options()).unwrap_err();
    assert_eq!(error("missing"), SourceError::Missing { root: tree.path("missing") });
    assert_eq!(error("file"), SourceError::NotAFolder { root: tree.path("file") });
    let text = SourceError::Missing { root: "x/y".into() }.to_string();
    assert_eq!(text, "cannot read the source tree `x/y`\n  because it does not exist");
}
