#!/usr/bin/env python3
"""Rows for `contextpack workspace eval`: questions about a workspace whose answers are facts, computed here.

usage: workspace_facts.py TREE ROWS.jsonl [--count 60] [--most 12] [--now 2025-06-10T09:00:00Z]

TREE holds files of blocks (`*.jsonl`) with permissions.jsonl and members.jsonl, such as `cargo bench --bench workspace --
--small --keep DIR` leaves in DIR/tree. Asked is what is overdue or due, what of it is the asking user's own or urgent,
and what a row is related with. Who may read what, what is done and what is related is decided by rules of this
script's own; it shares no code with contextpack. A question is taken if it has 1 to --most answers, because no payload
shows more. The same files give the same rows.

A row is {"id", "request", "relevant", "acceptable"}. What is relevant has to be shown; what is acceptable may be.
"""
import argparse
import collections
import datetime
import itertools
import json
import pathlib
import re
import sys

# Types that may be shared with more people than what is around them.
WIDER = {"page", "database", "db_row", "kanban_board", "kanban_card"}
DONE_WORDS = {"done", "complete", "completed", "closed", "cancelled", "archived", "shipped", "resolved"}
LINK = re.compile(r"\[\[([^\]|#^]+)")
# What is asked of tasks: the words, and which conditions they are. Days of `due` are counted from today.
QUESTIONS = [
    ("my tasks that are overdue", {"overdue", "mine"}, None),
    ("which of my urgent tasks are overdue", {"overdue", "mine", "urgent"}, None),
    ("urgent tasks that are overdue", {"overdue", "urgent"}, None),
    ("what tasks are due today", set(), 0),
    ("my tasks due today", {"mine"}, 0),
    ("tasks due tomorrow", set(), 1),
    ("my tasks due tomorrow", {"mine"}, 1),
    ("my tasks due this week", {"mine"}, 7),
    ("my urgent tasks due this month", {"mine", "urgent"}, 31),
    ("urgent tasks due today", {"urgent"}, 0),
]
RELATED = "what is connected with this"


def main():
    args = parse_args()
    workspace = Workspace.read(pathlib.Path(args.tree))
    rows = list(itertools.islice(rows_of(workspace, args.now, args.most), args.count))
    if not rows:
        sys.exit(f"workspace_facts: no question about `{args.tree}` has 1 to {args.most} answers")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    pathlib.Path(args.rows).write_text(lines, encoding="utf-8")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", help="the folder with the files of the workspace")
    parser.add_argument("rows", help="the file that gets the rows")
    parser.add_argument("--count", type=int, default=60, help="so many rows at most")
    parser.add_argument("--most", type=int, default=12, help="the most answers that a question may have")
    parser.add_argument("--now", default="2025-06-10T09:00:00Z", help="the date and time that all requests name")
    return parser.parse_args()


def rows_of(workspace, now, most):
    """In turn about tasks and about relations, each time for the next member who has such a question."""
    kinds = [task_rows(workspace, now, most), related_rows(workspace, now, most)]
    for pair in itertools.zip_longest(*kinds):
        yield from (row for row in pair if row)


def task_rows(workspace, now, most):
    """For each member another question first, so that few rows have all of them. The same answers are asked for once."""
    today, known = datetime.date.fromisoformat(now[:10]), set()
    for number in range(len(QUESTIONS)):
        for place, member in enumerate(workspace.members):
            text, conditions, days = QUESTIONS[(number + place) % len(QUESTIONS)]
            found = workspace.tasks(member, today, conditions, days)
            is_new = (text, *sorted(found)) not in known
            if is_new and 1 <= len(found) <= most:
                known.add((text, *sorted(found)))
                yield row(f"task-{conditions_word(conditions, days)}-{member['user']}", text, member, now, found, set())


def conditions_word(conditions, days):
    return "-".join(sorted(conditions) + ([f"in{days}"] if days is not None else []))


def related_rows(workspace, now, most):
    starts = [id for id in workspace.blocks if workspace.blocks[id]["type"] == "db_row"]
    for number, member in enumerate(workspace.members):
        for start in starts[number :: len(workspace.members)][:3]:
            if start not in workspace.readable(member):
                continue
            near = workspace.related(member, start)
            far = set().union(*(workspace.related(member, id) for id in near)) if near else set()
            far |= set().union(*(workspace.around(member, id) for id in near | {start}))
            if 1 <= len(near) <= min(most, 10):
                # Only relations are asked for, and there is room for all of them.
                budget = {"total": 8000, "semantic": 0, "relations": 4000, "activity": 0}
                more = {"focus": {"blockId": start}, "tokenBudget": budget}
                yield row(f"related-{start}-{member['user']}", RELATED, member, now, near, far - near - {start}, more)


def row(id, text, member, now, relevant, acceptable, more=None):
    user = {"id": member["user"], "teamIds": member["teams"], "workspaceId": member["workspaces"][0]}
    request = {"query": text, "type": "chat", "now": now, "user": user, **(more or {})}
    return {"id": id, "request": request, "relevant": sorted(relevant), "acceptable": sorted(acceptable)}


class Workspace:
    """Blocks by id, in the order of the files, and who may read them."""

    def __init__(self, blocks, grants, default, members):
        self.blocks, self.grants, self.default, self.members = blocks, grants, default, members
        self.seen = {}
        self.titled = collections.defaultdict(set)
        self.children = collections.defaultdict(list)
        self.targets = collections.defaultdict(set)
        for id, block in blocks.items():
            self.titled[folded(block.get("title", ""))].add(id)
            self.children[block.get("parent")].append(id)
        for id in blocks:
            for target in self.relations(id):
                self.targets[id].add(target)
                self.targets[target].add(id)

    @classmethod
    def read(cls, tree):
        lines = {path.name: read_lines(path) for path in sorted(tree.glob("*.jsonl"))}
        rights = lines.pop("permissions.jsonl", [])
        members = lines.pop("members.jsonl", [])
        blocks = {line["id"]: line for all in lines.values() for line in all if "type" in line}
        grants = collections.defaultdict(list)
        for id, block in blocks.items():
            if "read" in block:
                grants[id].append((block["read"], block.get("readMode") == "replace"))
        for line in rights:
            if "block" in line:
                grants[line["block"]].append((line["read"], line.get("mode") == "replace"))
        default = next((line["default"] for line in rights if "default" in line), [])
        return cls(blocks, grants, default, members)

    def readable(self, member):
        """The ids that a member may read."""
        user = member["user"]
        if user not in self.seen:
            names = {"public", f"user:{user}"}
            names |= {f"team:{team}" for team in member["teams"]}
            names |= {f"workspace:{workspace}" for workspace in member["workspaces"]}
            self.seen[user] = {id for id in self.blocks if self.may_read(id, names)}
        return self.seen[user]

    def may_read(self, id, names):
        """Every grant of the block and of all around it admits, up to one that replaces; a root without one gets the default."""
        while True:
            own = self.grants.get(id, [])
            if not all(names & set(read) for read, _ in own):
                return False
            if self.blocks[id]["type"] in WIDER and any(replaces for _, replaces in own):
                return True
            parent = self.blocks[id].get("parent")
            if parent is None:
                return bool(own) or bool(names & set(self.default))
            if parent not in self.blocks:
                return False
            id = parent

    def tasks(self, member, today, conditions, days):
        """Open tasks that the member may read: overdue, or due from today on within so many days."""
        found = set()
        for id in self.readable(member):
            task = self.task(id)
            if not task or task["done"] or task["due"] is None:
                continue
            wait = (task["due"] - today).days
            holds = {
                "overdue": wait < 0,
                "mine": member["user"] in task["assignees"],
                "urgent": task["priority"] in ("high", "critical"),
            }
            if all(holds[condition] for condition in conditions) and (days is None or 0 <= wait <= days):
                found.add(id)
        return found

    def task(self, id):
        """What is to be done; None if it is no task."""
        block = self.blocks[id]
        if block["type"] == "db_row":
            return self.task_of_row(id)
        if block["type"] not in ("todo", "kanban_card"):
            return None
        column = self.blocks.get(block.get("parent"), {})
        is_done = block.get("done", False) or column.get("data", {}).get("isDone", False)
        assignees = block.get("assignees", [])
        return {"done": is_done, "due": day(block.get("due")), "assignees": assignees, "priority": block.get("priority")}

    def task_of_row(self, id):
        """A row is a task if a column of its database says when it is due."""
        columns, values = self.row(id)
        due = next((column for column in columns if re.search(r"\b(due|deadline)\b", column["name"].lower())), None)
        if not due:
            return None
        status = next((column for column in columns if column["name"].lower() in ("status", "state")), None)
        who = next((column for column in columns if column["name"].lower() in ("assignee", "assigned")), None)
        is_done = bool(status) and shown(status, values).lower() in DONE_WORDS
        assignees = [values[who["id"]]] if who and who["id"] in values else []
        return {"done": is_done, "due": day(values.get(due["id"])), "assignees": assignees, "priority": None}

    def row(self, id):
        """The columns of its database, and its values by column."""
        data = self.blocks[id].get("data", {})
        database = self.blocks.get(data.get("databaseId") or self.blocks[id].get("parent"), {})
        return database.get("properties", []), data.get("values", {})

    def relations(self, id):
        """The rows that a row names."""
        if self.blocks[id]["type"] != "db_row":
            return set()
        columns, values = self.row(id)
        related = (values.get(column["id"], []) for column in columns if column["type"] == "relation")
        named = itertools.chain(*related, *self.blocks[id].get("relations", {}).values())
        return {target for target in named if target in self.blocks and target != id}

    def related(self, member, id):
        """The rows that a row names or that name it, as far as the member may read them."""
        return self.targets[id] & self.readable(member)

    def around(self, member, id):
        """What the texts in a row link to."""
        parts = [self.blocks[child].get("text", "") for child in self.children[id] if child in self.readable(member)]
        titles = {folded(title) for text in parts for title in LINK.findall(text)}
        return set().union(*(self.titled[title] for title in titles)) & self.readable(member)


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def folded(title):
    return " ".join(title.lower().split())


def day(text):
    return datetime.date.fromisoformat(text[:10]) if text else None


def shown(column, values):
    """What people see: the word of an option for its id."""
    value = values.get(column["id"], "")
    options = column.get("config", {}).get("options", [])
    return next((option["value"] for option in options if option["id"] == value), str(value))


if __name__ == "__main__":
    main()
