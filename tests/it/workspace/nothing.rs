//! What a reader gets who sees nothing or little: the same bytes whether the rest is hidden or was never there.

use super::doors::{on_tree, said};
use super::world::World;

const SECRET: &str = "{\"id\":\"p\",\"type\":\"page\",\"title\":\"Secret plan\",\"read\":[\"user:2\"]}\n";

#[test]
fn a_workspace_of_which_nothing_can_be_read_is_like_an_empty_one() {
    let [hidden, empty] = [World::new(&[("a.jsonl", SECRET)]), World::new(&[("a.jsonl", "\n")])];
    for arguments in [
        &["workspace", "context", "plan", "--as", "user:9"][..],
        &["workspace", "context", "plan", "--as", "user:9", "--format", "json"],
        &["workspace", "context", "plan"],
        &["pack", "plan", "--as", "user:9"],
    ] {
        let found = said(&on_tree(&hidden, arguments));
        assert_eq!(found, said(&on_tree(&empty, arguments)), "{arguments:?}");
        assert!(arguments[0] == "pack" || found.starts_with("code Some(1)"), "{found}");
    }
    let view = ["workspace", "view", "--as", "user:9", "--out", "view", "--repo", "tree", "--index", "index"];
    assert_eq!(hidden.run(&view).status.code(), Some(0));
    let asked = ["workspace", "context", "plan", "--as", "user:9"];
    let from_view = hidden.run(&[&asked[..], &["--index", "view"]].concat());
    assert_eq!(said(&from_view), said(&on_tree(&hidden, &asked)));
}

/// The paths of an export hold the titles of all pages above. One of them is hidden.
#[test]
fn hidden_titles_do_not_order_what_can_be_read() {
    let export = |title: &str| {
        let id = |digit: &str| digit.repeat(32);
        let hidden = format!("{title} {}", id("1"));
        let rights = format!(
            "{{\"default\":[\"public\"]}}\n{{\"block\":\"{}\",\"read\":[\"user:2\"]}}\n\
             {{\"block\":\"{}\",\"read\":[\"public\"],\"mode\":\"replace\"}}\n",
            id("1"),
            id("2")
        );
        let files = [
            (format!("{hidden}.md"), format!("# {title}\n\nNobody sees this.\n")),
            (format!("{hidden}/Shared {}.md", id("2")), "# Shared\n\nThe budget of the launch.\n".to_string()),
            (format!("Mine {}.md", id("3")), "# Mine\n\nThe budget of the year.\n".to_string()),
            ("permissions.jsonl".to_string(), rights),
        ];
        World::new(&files.each_ref().map(|(path, text)| (path.as_str(), text.as_str())))
    };
    let [first, last] = ["Aardvark", "Zebra"].map(export);
    for arguments in [&["pack", "budget", "--json"][..], &["workspace", "context", "budget"], &["outline"]] {
        let arguments = [arguments, &["--as", "user:9"]].concat();
        let found = said(&on_tree(&first, &arguments));
        assert_eq!(found, said(&on_tree(&last, &arguments)), "{arguments:?}");
        assert!(arguments[0] == "outline" || found.contains("budget of the launch"), "{found}");
    }
}
