use std::time::Duration;

use super::*;

fn taken(tree: &Tree) -> Snapshot {
    Snapshot::take(tree.root(), &options()).unwrap()
}

fn settled(tree: &Tree) -> Snapshot {
    std::thread::sleep(Duration::from_millis(300));
    taken(tree)
}

#[test]
fn a_tree_that_nobody_touched_is_the_same() {
    let tree = Tree::new(&[("a.py", "x = 1\n"), ("b/c.py", "y = 1\n")]);
    let first = settled(&tree);
    assert!(taken(&tree).is_same_as(&first));
}

#[test]
fn one_that_was_taken_right_after_a_change_vouches_for_nothing() {
    let tree = Tree::new(&[("a.py", "x = 1\n")]);
    let early = taken(&tree);
    assert!(!taken(&tree).is_same_as(&early));
}

#[test]
fn every_change_is_one_also_of_the_same_length() {
    let tree = Tree::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n"), (".gitignore", "out\n")]);
    let mut last = settled(&tree);
    let changes: [&dyn Fn(); 5] = [
        &|| tree.write("a.py", "x = 2\n"),
        &|| tree.write("new.py", "z = 1\n"),
        &|| std::fs::rename(tree.path("b.py"), tree.path("c.py")).unwrap(),
        &|| std::fs::remove_file(tree.path("new.py")).unwrap(),
        &|| std::os::unix::fs::symlink("/etc/passwd", tree.path("link")).unwrap(),
    ];
    for change in changes {
        change();
        let now = settled(&tree);
        assert!(!now.is_same_as(&last));
        last = now;
    }
    tree.write("out/x.py", "not of the tree\n");
    assert!(settled(&tree).is_same_as(&last));
}
