#!/usr/bin/env python3
"""Rows for `contextpack eval` from a git history: commits that look like fixes, and the trees before them.

usage: rows_from_history.py REPO ROWS.jsonl TREES [--count 30] [--max-files 4] [--min-words 8]
                            [--strict] [--name OWNER/NAME] [--rev HEAD]

REPO is a clone, bare or not. A commit is taken if it changes one to --max-files source files that are there
before it, deletes none, and either says that it fixes something or changes a test as well. Its message, without
trailers, hashes and issue numbers, is the question; the lines that it changes outside tests are the answer; the
tree of its parent is written to TREES/INSTANCE_ID, to the byte. The newest commits come first; the same history
gives the same rows. Functions are not looked for: `gold_functions` is empty, and `eval` leaves that figure out.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LANGUAGES = {
    "bash": "sh bash", "c": "c h", "cpp": "cc cpp cxx hh hpp hxx", "csharp": "cs", "dart": "dart", "elixir": "ex exs",
    "go": "go", "java": "java", "javascript": "js jsx mjs cjs", "kotlin": "kt kts", "lua": "lua", "php": "php",
    "python": "py pyi", "ruby": "rb", "rust": "rs", "scala": "scala", "swift": "swift", "typescript": "ts tsx mts cts",
}  # fmt: skip
LANGUAGE_OF = {ending: language for language, endings in LANGUAGES.items() for ending in endings.split()}
# Git's own drivers, so that a hunk's heading names the function it stands in.
DRIVERS = "".join(f"*.{ending} diff={driver}\n" for ending, driver in {
    "cs": "csharp", "go": "golang", "java": "java", "kt": "kotlin", "php": "php", "py": "python", "rb": "ruby",
    "rs": "rust", "c": "cpp", "h": "cpp", "cc": "cpp", "cpp": "cpp", "hpp": "cpp", "ex": "elixir",
}.items())  # fmt: skip
TEST = re.compile(
    r"(^|/)(tests?|testing|testdata|test_data|specs?|__tests__|__mocks__|e2e|fixtures)/"
    r"|(^|/)(tests?|conftest|test_[^/]*|[^/]*[_.-](tests?|specs?))\.[^/.]+$|(Tests?|Spec|TestCase)\.[^/.]+$"
)
OTHER = re.compile(r"(^|/)(docs?|[^/]*examples?|benches|benchmarks?|vendor|third_party|node_modules|dist|\.[^/]*)/")
FIX = re.compile(
    r"\b(fix(e[sd]|ing)?|bugs?|crash(e[sd])?|wrong(ly)?|incorrect(ly)?|broken|breaks|regression|fail(s|ed|ure)?"
    r"|panic(s|ked)?|leaks?|errors?|exceptions?|corrupt(s|ed)?|hangs?|deadlocks?|overflows?|missing|ignored)\b",
    re.I,
)
# Messages about these are questions that no code answers.
CHORE = re.compile(
    r"^(merge|revert|bump|release|version|format|refactor|rename)\b"
    r"|\b(typos?|lint(er|ing)?|changelog|rustfmt|clippy|ruff|mypy|eslint|prettier|annotations|type hints|typing"
    r"|flaky|spelling|deps|dependenc(y|ies)|rustup)\b",
    re.I,
)
TRAILER = re.compile(
    r"^\s*([A-Z][a-z]+(-[A-Za-z]+)*-[Bb]y|Change-Id|Cc|Bug|Issue|PR|PR-URL|Refs?|Reviewed-on|Link|git-svn-id|Conflicts):"
)
# What a forge writes into the message when it folds a branch into one commit.
FOLDED = re.compile(
    r"^\s*([*-]\s+)?(update \S+$|apply suggestions|merge |add (a )?(news|changelog)|\[pre-commit"
    r"|for more information, see|fix(ed)? (docs?|ci|tests?)$|-{3,}$|<[^>]+@[^>]+>$)",
    re.I,
)
REFERENCE = re.compile(
    r"\(?\b((fix(e[sd])?|close[sd]?|resolve[sd]?|refs?|see|issue|pr|gh|part of|related to)[\s:]*)?"
    r"((issue|pr|gh)?\s*[\w./-]*#\d+|\bgh-\d+|https?://\S+/(issues|pull|commit)/\S+)\)?|\(#\d+\)|(?<!\w)#\d+",
    re.I,
)
HASH = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
# What is left of a line, or of its end, when the issue that it pointed to is gone.
STUMP = re.compile(
    r"(^|[\s,;(]+)(\b(fix(e[sd])?|clos(e[sd]?|ing)|resolve[sd]?|refs?|see|from|by|and)\b[\s,;:.)]*)+$|^[\W_]+$", re.I
)
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\S+ @@ ?(.*)$")
FUNCTION = re.compile(r"(?:\b(?:def|fn|func|function|fun|sub)\s+(?:\([^)]*\)\s*)?(?:self\.)?|\b)(\w+)[!?]?\s*[(<]")
MAX_QUERY = 12000
MAX_BLOCKS = 40


def main():
    args = parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = list(itertools.islice(rows_of(Git(args.repo, scratch), args), args.count))
    if not rows:
        sys.exit(f"rows_from_history: no commit of `{args.repo}` looks like a fix")
    pathlib.Path(args.rows).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows_of(git, args):
    """One by one, each with its tree written."""
    name, seen = args.name or repo_name(args.repo), set()
    for commit in git.text("rev-list", "--no-merges", "--min-parents=1", args.rev).split():
        row = row_of(git, name, commit, args)
        if row and row["query"] not in seen:
            seen.add(row["query"])
            row["n_tree_files"] = write_tree(git, row["base_commit"], pathlib.Path(args.trees) / row["instance_id"])
            print(f"{len(seen)} of {args.count}: {row['instance_id']}", file=sys.stderr)
            yield row


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", help="a clone, bare or not")
    parser.add_argument("rows", help="the file that gets the rows")
    parser.add_argument("trees", help="the folder that gets the trees")
    parser.add_argument("--count", type=int, default=30, help="so many rows at most")
    parser.add_argument("--max-files", type=int, default=4, help="source files that a fix may change")
    parser.add_argument("--min-words", type=int, default=8, help="words that a message must have")
    parser.add_argument("--strict", action="store_true", help="only fixes by their words that change a test as well")
    parser.add_argument("--name", help="OWNER/NAME, for the rows; by default what the folder is called")
    parser.add_argument("--rev", default="HEAD", help="where to start, or a range such as v1.0..v2.0")
    return parser.parse_args()


class Git:
    """Git on one repository, whatever the user's own settings say."""

    def __init__(self, repo, scratch):
        attributes = pathlib.Path(scratch) / "attributes"
        attributes.write_text(DRIVERS)
        self.start = ["git", "-C", os.fspath(repo), "-c", f"core.attributesFile={attributes}"]
        self.env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}

    def bytes(self, *words):
        done = subprocess.run([*self.start, *words], capture_output=True, env=self.env)
        if done.returncode:
            sys.exit(f"rows_from_history: git {words[0]} failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout

    def text(self, *words):
        return self.bytes(*words).decode("utf-8", "replace")


def repo_name(repo):
    path = pathlib.Path(repo).resolve()
    return path.parent.name if path.name in (".git", "repo", "repo.git") else path.name.removesuffix(".git")


def row_of(git, name, commit, args):
    """The row of a commit, or None where it makes a poor question."""
    message = git.text("log", "-1", "--format=%B", commit)
    query = cleaned(message)
    if CHORE.search(message.split("\n", 1)[0]) or len(re.findall(r"[^\W\d_]{2,}", query)) < args.min_words:
        return None
    changes = changed_files(git, commit)
    kinds = {path: kind_of(path) for path in changes}
    gold = sorted(path for path, status in changes.items() if status == "M" and kinds[path] == "source")
    signs = [any(kind == "test" for kind in kinds.values()), bool(FIX.search(query))]
    is_fix = all(signs) if args.strict else any(signs)
    if not 1 <= len(gold) <= args.max_files or "D" in changes.values() or not is_fix:
        return None
    ranges, functions = changed_ranges(git, commit, gold)
    if not 1 <= len(ranges) <= MAX_BLOCKS or {block["file"] for block in ranges} != set(gold):
        return None
    return {
        "instance_id": f"{name.replace('/', '__')}-{commit[:12]}",
        "source": "history",
        "repo": name,
        "base_commit": git.text("rev-parse", f"{commit}^1").strip(),
        "language": language_of(gold),
        "query": query[:MAX_QUERY],
        "query_truncated": len(query) > MAX_QUERY,
        "gold_files": gold,
        "gold_ranges": ranges,
        "gold_functions": [],
        "new_files": sorted(path for path, status in changes.items() if status == "A" and kinds[path] == "source"),
        "non_source_files": sorted(path for path, kind in kinds.items() if kind == "other"),
        "n_tree_files": 0,
        "mentions": mentions(query, gold, functions),
        "split": "own",
        "core": True,
    }


def cleaned(message):
    """What the message says, without what only points elsewhere."""
    lines = [line for line in message.replace("\r", "").split("\n") if not TRAILER.match(line) and not FOLDED.match(line)]
    subject, *rest = map(tidied, lines or [""])
    lines = [subject, *(line for line in rest if line.strip("*- ") != subject or not line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def tidied(line):
    text = HASH.sub("", REFERENCE.sub("", line))
    if text == line:
        return line.rstrip()
    text = re.sub(r"(?<=\S)[ \t]+(?=[ \t.,;:)])", "", text)
    return STUMP.sub("", text).rstrip(" ,;:(-")


def changed_files(git, commit):
    """Status by path, renames as a deletion and an addition."""
    words = git.text("diff", "--no-renames", "--name-status", "-z", f"{commit}^1", commit).split("\0")
    return dict(zip(words[1::2], words[0:-1:2]))


def kind_of(path):
    if TEST.search(path):
        return "test"
    is_source = path.rsplit(".", 1)[-1] in LANGUAGE_OF and "." in path.rsplit("/", 1)[-1]
    return "source" if is_source and not OTHER.search(path) else "other"


def changed_ranges(git, commit, paths):
    """The old side of each hunk. An insertion is the line before it and the line after it, so the second may be one
    past the end. Beside them the names of the functions that git puts over the hunks."""
    ranges, functions = [], set()
    for path in paths:
        diff = git.text("diff", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color",
                        "--diff-algorithm=myers", f"{commit}^1", commit, "--", f":(literal){path}")  # fmt: skip
        for start, count, heading in (found.groups() for found in map(HUNK.match, diff.split("\n")) if found):
            start, count = int(start), int(count or "1")
            lines = (start, start + count - 1) if count else (max(1, start), start + 1)
            kind = "change" if count else "insert"
            ranges.append({"file": path, "start_line": lines[0], "end_line": lines[1], "kind": kind})
            functions.update(FUNCTION.findall(heading)[:1])
    return ranges, functions


def language_of(paths):
    count = collections.Counter(LANGUAGE_OF[path.rsplit(".", 1)[-1]] for path in paths)
    return min(count, key=lambda language: (-count[language], language))


def mentions(query, gold, functions):
    def named(words):
        return any(re.search(rf"(?<![\w/]){re.escape(word)}(?!\w)", query) for word in words)

    return {
        "path": named(gold),
        "basename": named(path.rsplit("/", 1)[-1] for path in gold),
        "function": named(word for word in functions if len(word) > 3),
    }


def write_tree(git, commit, out):
    """All files as they are stored: no attribute, filter or line ending is applied, and links and what the clone
    lacks are left out. Gives their number."""
    entries = [entry.split(b"\t", 1) for entry in git.bytes("ls-tree", "-r", "-z", commit).split(b"\0") if entry]
    files = [(about.split()[2], path) for about, path in entries if about.split()[0] in (b"100644", b"100755")]
    if out.exists():
        return len(files)
    partial = out.with_name(out.name + ".partial")
    partial.mkdir(parents=True, exist_ok=True)
    batch = subprocess.Popen([*git.start, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             env={**git.env, "GIT_NO_LAZY_FETCH": "1"})  # fmt: skip
    for blob, path in files:
        batch.stdin.write(blob + b"\n")
        batch.stdin.flush()
        about = batch.stdout.readline().split()
        if about[1:2] != [b"blob"]:
            continue
        content = batch.stdout.read(int(about[2]))
        batch.stdout.read(1)
        if not any(part in (b"..", b".git") for part in path.split(b"/")):
            file = os.path.join(os.fsencode(partial), path)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as to:
                to.write(content)
    batch.stdin.close()
    batch.wait()
    partial.rename(out)
    return len(files)


if __name__ == "__main__":
    main()
