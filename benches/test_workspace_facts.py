"""Run by `python3 -m unittest discover -s benches`."""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import workspace_facts as facts

SCRIPT = pathlib.Path(__file__).with_name("workspace_facts.py")
TODAY = datetime.date(2025, 6, 10)
ONE = {"user": "1", "teams": ["ops"], "workspaces": ["w"]}
TWO = {"user": "2", "teams": [], "workspaces": ["w"]}
COLUMNS = [
    {"id": "name", "name": "Name", "type": "text"},
    {"id": "date", "name": "Due", "type": "date"},
    {"id": "state", "name": "Status", "type": "select", "config": {"options": [{"id": "s1", "value": "Open"}, {"id": "s3", "value": "Done"}]}},
    {"id": "who", "name": "Assignee", "type": "text"},
    {"id": "with", "name": "Related", "type": "relation", "config": {"databaseId": "d"}},
]  # fmt: skip


def row(id, date="2025-06-09", state="s1", who=None, related=()):
    values = {"name": id, "date": date, "state": state, "with": list(related), **({"who": who} if who else {})}
    return {"id": id, "type": "db_row", "parent": "d", "data": {"databaseId": "d", "values": values}}


def todo(id, due, parent="p", **more):
    return {"id": id, "type": "todo", "parent": parent, "text": id, "due": due, "done": False, **more}


BLOCKS = [
    {"id": "p", "type": "page", "title": "Plan"},
    {"id": "secret", "type": "page", "parent": "p", "title": "Secret", "read": ["user:2"]},
    {"id": "open", "type": "page", "parent": "secret", "title": "Open", "read": ["public"], "readMode": "replace"},
    {"id": "text", "type": "text", "parent": "secret", "text": "x", "read": ["public"], "readMode": "replace"},
    todo("late", "2025-06-09", assignees=["1"], priority="high"),
    todo("today", "2025-06-10", assignees=["2"]),
    todo("week", "2025-06-17"),
    todo("done", "2025-06-01", **{"done": True}),
    todo("hidden", "2025-06-02", parent="secret", assignees=["1"]),
    {"id": "board", "type": "kanban_board", "parent": "p"},
    {"id": "col", "type": "kanban_column", "parent": "board", "data": {"isDone": True}},
    {"id": "card", "type": "kanban_card", "parent": "col", "title": "Card", "due": "2025-05-01"},
    todo("inside", "2025-06-12", parent="card", assignees=["2"]),
    {"id": "d", "type": "database", "parent": "p", "title": "D", "properties": COLUMNS},
    row("r1", who="1", related=["r2", "gone"]),
    row("r2", state="s3"),
    row("r3", date="2025-07-01", related=["r1"]),
    {"id": "note", "type": "text", "parent": "r2", "text": "See [[plan]] and [[Secret|that]]."},
    {"id": "lost", "type": "text", "parent": "never", "text": "x"},
]
RIGHTS = [{"default": ["workspace:w"]}, {"block": "r3", "read": ["team:ops"]}]


class Facts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name)
        for name, lines in [
            ("blocks-01.jsonl", BLOCKS[:9]),
            ("blocks-02.jsonl", BLOCKS[9:]),
            ("permissions.jsonl", RIGHTS),
            ("members.jsonl", [ONE, TWO]),
            ("activity-01.jsonl", [{"user": "1", "block": "p", "kind": "edit", "at": "2025-06-01T00:00:00Z"}]),
        ]:
            (self.tree / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.workspace = facts.Workspace.read(self.tree)

    def test_who_may_read_what(self):
        one, two = (self.workspace.readable(member) for member in (ONE, TWO))
        self.assertEqual({"secret", "text", "hidden"} & one, set())
        self.assertEqual({"secret", "text", "hidden"} & two, {"secret", "text", "hidden"})
        self.assertEqual({"open", "r3", "lost"} & one, {"open", "r3"})
        self.assertEqual({"open", "r3", "lost"} & two, {"open"})
        stranger = {"user": "9", "teams": [], "workspaces": []}
        self.assertEqual(self.workspace.readable(stranger), {"open"})

    def tasks(self, member, conditions, days=None):
        return self.workspace.tasks(member, TODAY, conditions, days)

    def test_tasks_are_open_and_due(self):
        self.assertEqual(self.tasks(ONE, {"overdue"}), {"late", "r1"})
        self.assertEqual(self.tasks(TWO, {"overdue"}), {"late", "r1", "hidden"})
        self.assertEqual(self.tasks(ONE, {"overdue", "mine"}), {"late", "r1"})
        self.assertEqual(self.tasks(ONE, {"overdue", "urgent"}), {"late"})
        self.assertEqual(self.tasks(ONE, set(), 0), {"today"})
        self.assertEqual(self.tasks(ONE, set(), 7), {"today", "week", "inside"})
        self.assertEqual(self.tasks(TWO, {"mine"}, 7), {"today", "inside"})

    def test_relations_lead_both_ways(self):
        self.assertEqual(self.workspace.related(ONE, "r1"), {"r2", "r3"})
        self.assertEqual(self.workspace.related(TWO, "r1"), {"r2"})
        self.assertEqual(self.workspace.around(ONE, "r2"), {"p"})
        self.assertEqual(self.workspace.around(TWO, "r2"), {"p", "secret"})

    def test_rows_are_questions_with_few_answers(self):
        rows = list(facts.rows_of(self.workspace, "2025-06-10T09:00:00Z", 12))
        by_id = {row["id"]: row for row in rows}
        self.assertEqual(len(by_id), len(rows))
        self.assertEqual(by_id["task-mine-overdue-1"]["relevant"], ["late", "r1"])
        self.assertEqual(by_id["task-mine-in7-2"]["relevant"], ["inside", "today"])
        related = by_id["related-r1-1"]
        self.assertEqual((related["relevant"], related["acceptable"]), (["r2", "r3"], ["p"]))
        self.assertEqual(related["request"]["focus"], {"blockId": "r1"})
        self.assertEqual(related["request"]["user"], {"id": "1", "teamIds": ["ops"], "workspaceId": "w"})
        few = list(facts.rows_of(self.workspace, "2025-06-10T09:00:00Z", 1))
        self.assertTrue(few and all(len(row["relevant"]) == 1 for row in few))

    def test_the_script_writes_the_same_rows_again(self):
        out = self.tree / "rows.out"
        texts = []
        for _ in range(2):
            done = subprocess.run([sys.executable, SCRIPT, self.tree, out, "--count", "3"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.append(out.read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(len(texts[0].splitlines()), 3)
        none = subprocess.run([sys.executable, SCRIPT, self.tree / "nothing", out], capture_output=True, text=True)
        self.assertIn("no question about", none.stderr)
        self.assertNotEqual(none.returncode, 0)


if __name__ == "__main__":
    unittest.main()
