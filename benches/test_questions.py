"""Run by `python3 -m unittest discover -s benches`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).with_name("questions")
sys.path.insert(0, os.fspath(FOLDER))
import export  # noqa: E402

AUTHOR = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
CART = "def total(cart):\r\n    if not cart:\r\n        raise ValueError('größe of nothing')\r\n    return 0\r\n"


class Questions(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "rows").mkdir()
        repo = self.folder / "mirror" / "we+shop" / "repo"
        (repo / "src").mkdir(parents=True)
        (repo / "src" / "cart.py").write_bytes(CART.encode())
        self.git(repo, "init", "--quiet")
        self.git(repo, "add", "--all")
        self.git(repo, "commit", "--quiet", "-m", "start")
        self.head = self.git(repo, "rev-parse", "HEAD").strip()

    def git(self, repo, *words):
        env = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(["git", "-C", repo, *words], check=True, env=env, capture_output=True, text=True).stdout

    def question(self, **changes):
        return {
            "id": "shop-error-1", "repo": "we/shop", "commit": self.head, "kind": "error", "language": "python",
            "query": "I get {0} from total, why?", "functions": ["total"],
            "quotes": [{"file": "src/cart.py", "line": 3, "start": 27, "end": 43}],
            "gold": [{"file": "src/cart.py", "start": 2, "end": 3}], **changes,
        }  # fmt: skip

    def export(self, *questions):
        """The rows, or what was said instead."""
        file = self.folder / "rows" / "shop.jsonl"
        file.write_text("".join(json.dumps(question) + "\n\n" for question in questions), encoding="utf-8")
        command = [sys.executable, FOLDER / "export.py", self.folder / "rows", self.folder / "out"]
        done = subprocess.run([*command, "--mirror", self.folder / "mirror"], capture_output=True, text=True)
        out = self.folder / "out" / "questions.jsonl"
        return [json.loads(line) for line in out.read_text().splitlines()] if done.returncode == 0 else done.stderr

    def test_row_and_tree(self):
        (row,) = self.export(self.question())
        self.assertEqual(row["query"], "I get größe of nothing from total, why?")
        self.assertEqual(row["gold_files"], ["src/cart.py"])
        self.assertEqual(row["gold_ranges"], [{"file": "src/cart.py", "start_line": 2, "end_line": 3}])
        self.assertEqual(row["mentions"], {"path": False, "basename": False, "function": True})
        self.assertEqual((row["instance_id"], row["source"], row["asked_in"]), ("shop-error-1", "questions", "en"))
        self.assertEqual(row["tree"], f"we__shop-{self.head[:12]}")
        self.assertEqual((self.folder / "out" / "trees" / row["tree"] / "src" / "cart.py").read_bytes(), CART.encode())

    def test_several_rows_share_a_tree(self):
        other = self.question(id="b", kind="language", asked_in="de", query="Warum {0}, in cart.py?")
        one, two = self.export(self.question(), other)
        self.assertEqual((one["tree"], two["kind"], two["asked_in"]), (two["tree"], "language", "de"))
        self.assertEqual(two["mentions"], {"path": False, "basename": True, "function": False})

    def test_what_is_outside_of_the_file(self):
        for gold in ((0, 2), (4, 5), (3, 2)):
            said = self.export(self.question(gold=[{"file": "src/cart.py", "start": gold[0], "end": gold[1]}]))
            self.assertIn(f"(shop-error-1): gold src/cart.py:{gold[0]}-{gold[1]} is outside the file", said)
        quote = {"file": "src/cart.py", "line": 3}
        for start, end in ((27, 46), (0, 4), (5, 5)):
            said = self.export(self.question(quotes=[{**quote, "start": start, "end": end}]))
            self.assertIn(f"quote src/cart.py:3 has columns {start} to {end}, and the line has 44", said)
        said = self.export(self.question(quotes=[{**quote, "line": 5, "start": 1, "end": 2}]))
        self.assertIn("quote src/cart.py:5 is outside the file, which has 4 lines", said)
        said = self.export(self.question(gold=[{"file": "src/basket.py", "start": 1, "end": 1}]))
        self.assertIn("no file src/basket.py", said)

    def test_rows_that_contradict_themselves(self):
        self.assertIn("another row has this id", self.export(self.question(), self.question()))
        self.assertIn("unknown kind `why`", self.export(self.question(kind="why")))
        self.assertIn("different: asked_in", self.export(self.question(kind="language")))
        self.assertIn("uses the quotes [0, 1], and there are 1", self.export(self.question(query="{0} or {1}")))
        self.assertIn("uses the quotes [], and there are 1", self.export(self.question(query="why?")))
        self.assertIn("no file of the gold has the function `tot`", self.export(self.question(functions=["tot"])))
        self.assertIn("no clone of we/market", self.export(self.question(repo="we/market")))
        twice = [{"file": "src/cart.py", "start": 1, "end": 2}, {"file": "src/cart.py", "start": 2, "end": 3}]
        self.assertIn("share line 2 of src/cart.py", self.export(self.question(gold=twice)))

    def test_the_rows_that_are_kept(self):
        rows = [(where, export.parsed(text)) for where, text in export.lines_of(FOLDER / "rows")]
        self.assertTrue(rows)
        self.assertEqual(len({row["id"] for _, row in rows}), len(rows))
        sources = {(where.split(":")[0], row["repo"], row["commit"], row["language"]) for where, row in rows}
        self.assertEqual(len(sources), len({file for file, *_ in sources}), "a file is about one tree")

    def test_all_faults_are_told_at_once(self):
        said = self.export(self.question(kind="why"), self.question(id="b", repo="we/market"), self.question(id="c"))
        self.assertEqual(said.count("export: shop.jsonl:"), 2)
        self.assertFalse((self.folder / "out" / "questions.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
