#!/usr/bin/env python3
"""Rows and trees for `contextpack eval` from the questions about code in ROWS_DIR (their form: README.md beside this).

usage: export.py ROWS_DIR OUT [--mirror DIR]

ROWS_DIR has one *.jsonl file per project. DIR, by default $BENCH_MIRROR, has a bare clone of each project at
OWNER+NAME/repo. OUT/questions.jsonl gets the rows, with the quoted text filled in from the clone; OUT/trees/TREE gets
the tree of each project at the commit of its rows. If a row cannot be used, every fault is printed, each with the id
of its row, and no rows are written.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, os.fspath(pathlib.Path(__file__).resolve().parents[1]))
import rows_from_history as history  # noqa: E402

KINDS = "how where error trace calls breaks test vague language".split()
KEYS = {"id", "repo", "commit", "kind", "language", "query", "quotes", "gold", "functions"}
TONGUES = "de es fr ja ko pt ru zh".split()
PLACEHOLDER = re.compile(r"\{(\d+)\}")


class Fault(Exception):
    """Why a row cannot be used."""


def main():
    args = parse_args()
    out, rows, faults, seen = pathlib.Path(args.out), [], [], set()
    mirrors = {path.name.lower(): path / "repo" for path in pathlib.Path(args.mirror).iterdir()}
    for where, text in lines_of(pathlib.Path(args.rows)):
        try:
            question = parsed(text)
            where = f"{where} ({question['id']})"
            if question["id"] in seen:
                raise Fault("another row has this id")
            seen.add(question["id"])
            rows.append(row_of(question, tree_of(question, mirrors, out / "trees")))
        except Fault as fault:
            faults.append(f"{where}: {fault}")
    if faults or not rows:
        sys.exit("\n".join(f"export: {fault}" for fault in faults or [f"no rows in `{args.rows}`"]))
    (out / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    counts = collections.Counter(row["kind"] for row in rows)
    print(f"{len(rows)} questions:", ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]))


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", metavar="ROWS_DIR", help="the directory with a file of rows per project")
    parser.add_argument("out", metavar="OUT", help="the directory that gets questions.jsonl and trees/")
    parser.add_argument("--mirror", default=os.environ.get("BENCH_MIRROR"), help="the directory with the bare clones")
    args = parser.parse_args()
    if not args.mirror:
        parser.error("give --mirror, or set BENCH_MIRROR")
    return args


def lines_of(folder):
    """All rows, in the order of the files' names, each with where it stands."""
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                yield f"{file.name}:{number}", line


def parsed(text):
    """A row that has all that the form asks for. What it says about its tree is not looked at yet."""
    try:
        row = json.loads(text)
    except ValueError as error:
        raise Fault(f"not JSON: {error}") from None
    wanted = KEYS | {"asked_in"} if row.get("kind") == "language" else KEYS
    if set(row) != wanted:
        raise Fault(f"the keys must be {', '.join(sorted(wanted))}; different: {', '.join(sorted(set(row) ^ wanted))}")
    for key, known in (("kind", KINDS), ("language", history.LANGUAGES), ("asked_in", TONGUES)):
        if key in row and row[key] not in known:
            raise Fault(f"unknown {key} `{row[key]}`; known: {', '.join(known)}")
    if not re.fullmatch(r"[0-9a-f]{40}", row["commit"]) or not re.fullmatch(r"[\w.-]+/[\w.-]+", row["repo"]):
        raise Fault("`repo` must be OWNER/NAME, and `commit` must have 40 hex digits")
    if not row["query"].strip() or not row["gold"]:
        raise Fault("the query or the gold is empty")
    return row


def tree_of(question, mirrors, trees):
    """The directory of the files at the question's commit, written if it is not there."""
    mirror = mirrors.get(question["repo"].replace("/", "+").lower())
    if mirror is None:
        raise Fault(f"no clone of {question['repo']} in the mirror")
    tree = trees / f"{question['repo'].replace('/', '__')}-{question['commit'][:12]}"
    if not tree.exists():
        with tempfile.TemporaryDirectory() as scratch:
            history.write_tree(history.Git(mirror, scratch), question["commit"], tree)
    return tree


def row_of(question, tree):
    """The form that `contextpack eval` reads."""
    ranges = [gold_range(gold, tree) for gold in question["gold"]]
    ordered = sorted(ranges, key=lambda block: (block["file"], block["start_line"]))
    for one, other in zip(ordered, ordered[1:]):
        if one["file"] == other["file"] and other["start_line"] <= one["end_line"]:
            raise Fault(f"two ranges of gold share line {other['start_line']} of {one['file']}")
    files, query = sorted({block["file"] for block in ranges}), filled(question, tree)
    gold_text = "\n".join("\n".join(file_lines(tree, file)) for file in files)
    for name in question["functions"]:
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", gold_text):
            raise Fault(f"no file of the gold has the function `{name}`")
    return {
        "instance_id": question["id"],
        "tree": tree.name,
        "source": "questions",
        "repo": question["repo"],
        "base_commit": question["commit"],
        "kind": question["kind"],
        "language": question["language"],
        "asked_in": question.get("asked_in", "en"),
        "query": query,
        "gold_files": files,
        "gold_ranges": ranges,
        "gold_functions": [],
        "mentions": history.mentions(query, files, question["functions"]),
        "core": True,
    }


def gold_range(gold, tree):
    start, end, lines = gold["start"], gold["end"], file_lines(tree, gold["file"])
    if not 1 <= start <= end <= len(lines):
        raise Fault(f"gold {gold['file']}:{start}-{end} is outside the file, which has {len(lines)} lines")
    if not lines[start - 1].strip() or not lines[end - 1].strip():
        raise Fault(f"gold {gold['file']}:{start}-{end} starts or ends with a blank line")
    return {"file": gold["file"], "start_line": start, "end_line": end}


def filled(question, tree):
    """The query with the quoted text in place of {0}, {1} and so on."""
    quotes = [quoted(quote, tree) for quote in question["quotes"]]
    used = {int(number) for number in PLACEHOLDER.findall(question["query"])}
    if used != set(range(len(quotes))):
        raise Fault(f"the query uses the quotes {sorted(used)}, and there are {len(quotes)}")
    return PLACEHOLDER.sub(lambda found: quotes[int(found[1])], question["query"])


def quoted(quote, tree):
    """Columns are of characters, from 1; `end` is the column after the last one."""
    line, start, end, lines = quote["line"], quote["start"], quote["end"], file_lines(tree, quote["file"])
    if not 1 <= line <= len(lines):
        raise Fault(f"quote {quote['file']}:{line} is outside the file, which has {len(lines)} lines")
    text = lines[line - 1]
    if not 1 <= start < end <= len(text) + 1:
        raise Fault(f"quote {quote['file']}:{line} has columns {start} to {end}, and the line has {len(text)}")
    return text[start - 1 : end - 1]


def file_lines(tree, path):
    """Without their ends, be they LF or CRLF. What follows the last line end is a line only if it has text."""
    file = tree / path
    if not file.is_file():
        raise Fault(f"no file {path} at that commit")
    lines = [line.removesuffix("\r") for line in file.read_bytes().decode("utf-8", "replace").split("\n")]
    return lines if lines[-1] else lines[:-1]


if __name__ == "__main__":
    main()
