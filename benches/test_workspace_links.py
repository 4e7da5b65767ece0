"""Run by `python3 -m unittest discover -s benches`."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("workspace") / "links.py"
sys.path.insert(0, str(SCRIPT.parent))

import links

WORDS = "one two three four five six seven"


class Links(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_blocks(self, *blocks):
        self.write("a/blocks.jsonl", "".join(json.dumps(block) + "\n" for block in blocks))

    def drawn(self, **options):
        rows = links.rows_of(self.folder, **{"min_words": 5, **options})
        for row in rows:
            self.assertEqual(set(row), {"id", "request", "relevant", "acceptable"})
        return [(*row["request"]["hints"]["excludeBlocks"], row["request"]["query"], *row["relevant"]) for row in rows]

    def test_a_wikilink_is_taken_out_of_a_text(self):
        self.write_blocks(
            {"id": "p1", "type": "page", "title": "Q3  Plan"},
            {"id": "p2", "type": "page", "title": "Twin"},
            {"id": "p3", "type": "database", "data": {"name": "twin"}},
            {"id": "b1", "type": "text", "text": f"**{WORDS}** [[q3 plan#Goals|the plan]] end"},
            {"id": 7, "type": "quote", "data": {"content": f"{WORDS} [[anything^p2]]"}},
            {"id": "b3", "type": "text", "text": f"{WORDS} [[Twin]]"},
            {"id": "b4", "type": "text", "text": f"{WORDS} [[Q3 Plan]] and [[Twin]]"},
            {"id": "b5", "type": "text", "text": f"{WORDS} [[Nothing]]"},
            {"id": "b6", "type": "text", "text": "too short [[Q3 Plan]]"},
            {"id": "b7", "type": "code", "text": f"{WORDS} [[Q3 Plan]]"},
        )
        self.assertEqual(self.drawn(), [("b1", f"{WORDS} end", "p1"), ("7", WORDS, "p2")])

    def test_what_stands_below_the_text_is_no_target(self):
        self.write_blocks(
            {"id": "p1", "type": "page", "title": "Top", "text": f"{WORDS} [[Below]]"},
            {"id": "p2", "type": "page", "title": "Below", "parent": "p1"},
            {"id": "b1", "type": "text", "parent": "p2", "text": f"{WORDS} [[Top]]"},
            {"id": "c1", "type": "page", "title": "Cycle", "parent": "c2", "text": f"{WORDS} [[Other]]"},
            {"id": "c2", "type": "page", "title": "Other", "parent": "c1"},
        )
        self.assertEqual(self.drawn(), [("b1", WORDS, "p1")])

    def test_a_link_of_a_notion_export_is_taken_out_of_a_paragraph(self):
        one, two, three = ("1" * 32, "2" * 32, "3" * 32)
        self.write(
            f"Home {one}.md",
            f"# Home\n\n- **{WORDS}** [the (old) fence](Home%20{one}/../Fence%20{two}.md), [docs](https://x.y/{two})\n"
            f"- {WORDS} [below](Home%20{one}/Below%20{three}.md)\n\n"
            f"```\n{WORDS} [a](Fence%20{two}.md)\n```\n\n"
            f"{WORDS} ten [it](https://www.notion.so/Fence-{two}?pvs=21)\n\n{WORDS} [gone](Gone%20{'4' * 32}.md)\n",
        )
        self.write(f"Fence {two}.md", f"# Fence\n\n{WORDS} [a](Fence%20{two}.md)\n\n[Home](Home%20{one}.md)\n")
        self.write(f"Home {one}/Below {three}.md", "# Below\n")
        self.assertEqual(self.drawn(), [(one, f"{WORDS} , docs", two), (one, f"{WORDS} ten", two)])

    def test_rows_are_taken_at_even_distances(self):
        page = {"id": "p", "type": "page", "title": "P"}
        self.write_blocks(page, *({"id": f"b{at}", "type": "text", "text": f"{WORDS} {at} [[P]]"} for at in range(10)))
        self.assertEqual([source for source, _, _ in self.drawn(count=4)], ["b0", "b2", "b5", "b7"])

    def test_the_command_writes_rows(self):
        self.write_blocks(
            {"id": "p", "type": "page", "title": "P"}, {"id": "b", "type": "text", "text": f"{WORDS} [[P]]"}
        )
        out = self.folder / "rows.jsonl"
        command = [sys.executable, SCRIPT, self.folder, out, "--min-words", "5", "--user", "7"]
        subprocess.run(command, check=True, capture_output=True)
        request = {"query": WORDS, "type": "search", "hints": {"excludeBlocks": ["b"]}, "user": {"id": "7"}}
        row = {"id": "link-0001", "request": request, "relevant": ["p"], "acceptable": []}
        self.assertEqual([json.loads(line) for line in out.read_text().splitlines()], [row])


class Labels(unittest.TestCase):
    """What can be checked of the labels without the exports."""

    def test_labels_are_ids_and_questions(self):
        text = SCRIPT.with_name("labels.jsonl").read_text(encoding="utf-8")
        rows = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(len({row["id"] for row in rows}), len(rows))
        self.assertEqual(len({row["request"]["query"] for row in rows}), len(rows))
        for export in ("notion-qa", "workspace"):
            self.assertGreaterEqual(sum(row["export"] == export for row in rows), 20)
        for row in rows:
            self.assertEqual(set(row), {"id", "export", "request", "relevant", "acceptable"}, row["id"])
            self.assertTrue(row["relevant"], row["id"])
            named = row["relevant"] + row["acceptable"]
            self.assertEqual(len(set(named)), len(named), row["id"])
            for block in named:
                self.assertRegex(block, r"\A[0-9a-f]{32}(:[1-9][0-9]*)?\Z", row["id"])


if __name__ == "__main__":
    unittest.main()
