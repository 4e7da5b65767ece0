"""Run by `python3 -m unittest discover -s benches`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import rows_from_history as rows

SCRIPT = pathlib.Path(__file__).with_name("rows_from_history.py")
AUTHOR = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
FIX = "Fix the total of an empty cart being reported as none instead of zero"


class History(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.repo = self.folder / "shop"
        self.repo.mkdir()
        self.git("init", "--quiet")

    def git(self, *words):
        env = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "-C", self.repo, *words], check=True, env=env)

    def commit(self, message, files):
        for path, content in files.items():
            path = self.repo / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if content is None else path.write_bytes(content)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)

    def rows(self, *options):
        out, trees = self.folder / "rows.jsonl", self.folder / "trees"
        done = subprocess.run([sys.executable, SCRIPT, self.repo, out, trees, *options], capture_output=True, text=True)
        return [json.loads(line) for line in out.read_text().splitlines()] if done.returncode == 0 else done.stderr

    def test_ranges_and_tree(self):
        cart = b"".join(b"line %d\r\n" % number for number in range(1, 9))
        start = {"src/cart.py": cart, "tests/test_cart.py": b"a\n", ".gitattributes": b"*.py export-ignore\n"}
        self.commit("start", start)
        lines = cart.splitlines(keepends=True)
        # After nothing, of line 2, after line 4, without lines 6 and 7, after the end.
        changed = [b"top\n", lines[0], b"other\n", *lines[2:4], b"new\n", lines[4], lines[7], b"end\n"]
        self.commit(f"{FIX} (#12)\n\nCloses #11.\n\nSigned-off-by: A <a@b>", {
            "src/cart.py": b"".join(changed), "src/new.py": b"x\n", "tests/test_cart.py": b"b\n", "CHANGES.md": b"x\n",
        })  # fmt: skip
        (row,) = self.rows("--name", "we/shop")
        found = [(block["start_line"], block["end_line"], block["kind"]) for block in row["gold_ranges"]]
        wanted = [(1, 1, "insert"), (2, 2, "change"), (4, 5, "insert"), (6, 7, "change"), (8, 9, "insert")]
        self.assertEqual(found, wanted)
        self.assertEqual((row["query"], row["gold_files"], row["new_files"]), (FIX, ["src/cart.py"], ["src/new.py"]))
        self.assertEqual((row["non_source_files"], row["language"], row["n_tree_files"]), (["CHANGES.md"], "python", 3))
        self.assertEqual(row["gold_functions"], [])
        tree = self.folder / "trees" / row["instance_id"]
        self.assertTrue(row["instance_id"].startswith("we__shop-"))
        files = (path for path in tree.rglob("*") if path.is_file())
        self.assertEqual({str(path.relative_to(tree)): path.read_bytes() for path in files}, start)

    def test_what_is_no_fix(self):
        self.commit("start", {f"{name}.py": b"def one():\n    return 1\n" for name in "abcdefg"})
        self.commit("Add a second way to print the whole of a very long report", {"a.py": b"x\n"})
        self.commit("Fix it", {"a.py": b"y\n"})
        self.commit(FIX + " and drop a file", {"a.py": b"z\n", "b.py": None})
        self.commit(FIX + " everywhere", {f"{name}.py": b"x\n" for name in "acdef"})
        self.commit(FIX + " in tests alone", {"test/test_a.py": b"x\n"})
        self.commit("Fix a typo in the docs that made people think of carts", {"a.py": b"q\n"})
        self.assertIn("no commit", self.rows())
        self.commit(FIX, {"g.py": b"def one():\n    return 2\n"})
        self.commit(FIX, {"g.py": b"def one():\n    return 3\n"})
        self.assertEqual(len(self.rows()), 1, "a question is asked once")
        self.assertIn("no commit", self.rows("--strict"))
        self.commit(FIX, {"g.py": b"def one():\n    return 4\n", "g_test.py": b"x\n"})
        self.assertEqual(len(self.rows("--strict")), 1)

    def test_mentions(self):
        self.commit("start", {"src/cart.py": b"def total(cart):\n    a = 1\n    return None\n"})
        self.commit(FIX + " by total() in cart.py", {"src/cart.py": b"def total(cart):\n    a = 1\n    return 0\n"})
        (row,) = self.rows()
        self.assertEqual(row["mentions"], {"path": False, "basename": True, "function": True})

    def test_messages(self):
        message = "Keep the rest, see #3\n\nBroken since 1f2e3d4c5b (GH-7).\nFixes https://x.y/a/issues/9\n\n\n\n"
        message += "Co-authored-by: B <b@c>\n"
        self.assertEqual(rows.cleaned(message), "Keep the rest\n\nBroken since.")
        folded = "Keep the rest (#3)\n\n* Keep the rest\n\n* Update a/b.py\n\nIt was lost.\n\n---------\n"
        self.assertEqual(rows.cleaned(folded), "Keep the rest\n\nIt was lost.")
        self.assertEqual(rows.cleaned("Come and see\n"), "Come and see")


if __name__ == "__main__":
    unittest.main()
