#!/usr/bin/env python3
"""Rows for `contextpack workspace eval` from the links of a workspace: a text without its link must find the page.

usage: links.py DIR ROWS.jsonl [--min-words 12] [--count 300] [--user ID]

DIR holds `blocks.jsonl` files, or a Notion export ("Markdown & CSV", unzipped), or both. A text is taken if it links
to exactly one page, by `[[Title]]`, `[[Title^id]]` or a Notion link, and keeps --min-words words without the link. The
question is the text without the link and its words; the text itself, of a Notion export the page that it is on, is
excluded, or else it would be the best answer. Pages that stand below what is excluded are no targets. Rows are taken
at even distances, in the order of paths and lines; the same files give the same rows. `acceptable` is empty: nobody
has judged what else is right, so only recall means something here.
"""
import argparse
import collections
import json
import pathlib
import re
import urllib.parse

PAGES = {"page", "database", "db_row", "kanban_board", "kanban_card"}
WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
# The target may hold parentheses.
MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)\)")
NOTION_NAME = re.compile(r"(?:.* )?([0-9a-f]{32})\.md")
NOTION_TARGET = re.compile(r"([0-9a-f]{32})(?:_all)?(?:\.md|\.csv)?(?:[?#].*)?$")
MARKS = re.compile(r"^\s*(?:#+|>|[-*+]|\d+\.|- \[[ xX]\])\s+|[*`_]{1,3}", re.M)

# A text with one link: where it stands, what it says without the link, and the page that the link names.
Linked = collections.namedtuple("Linked", "source query target")


def folded(title):
    return " ".join(title.split()).casefold()


def plain(text):
    return " ".join(MARKS.sub(" ", text).split())


def word_count(text):
    return len(re.findall(r"\w+", text))


def below(parents, block, top):
    """Whether a block is another one or stands below it."""
    seen = set()
    while block is not None and block not in seen:
        if block == top:
            return True
        seen.add(block)
        block = parents.get(block)
    return False


# Blocks

def read_blocks(folder):
    blocks = []
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8-sig").splitlines():
            block = json.loads(line) if line.strip() else {}
            if isinstance(block, dict) and isinstance(block.get("type"), str) and "id" in block:
                blocks.append(block)
    return blocks


def text_of(block):
    data = block.get("data") or {}
    return block.get("text") or data.get("content") or ""


def title_of(block):
    data = block.get("data") or {}
    return block.get("title") or data.get("title") or data.get("name") or ""


def targets_of(link, by_title, ids):
    """The pages that `Title`, `Title#Heading`, `Title^id`, each with `|alias`, may name."""
    target = link.split("|")[0]
    title, mark, place = re.fullmatch(r"([^#^]*)([#^]?)(.*)", target).groups()
    if mark == "^" and place.strip() in ids:
        return {place.strip()}
    return by_title.get(folded(title), set())


def linked_blocks(blocks):
    ids = {str(block["id"]) for block in blocks if block["type"] in PAGES}
    parents = {str(block["id"]): block.get("parent") for block in blocks}
    by_title = collections.defaultdict(set)
    for block in blocks:
        if block["type"] in PAGES and title_of(block):
            by_title[folded(title_of(block))].add(str(block["id"]))
    for block in blocks:
        links = WIKILINK.findall(text_of(block)) if block["type"] != "code" else []
        targets = targets_of(links[0], by_title, ids) if len(links) == 1 else set()
        source = str(block["id"])
        if len(targets) == 1 and not below(parents, min(targets), source):
            yield Linked(source, plain(WIKILINK.sub(" ", text_of(block))), min(targets))


# A Notion export

def read_pages(folder):
    """The text of each page by its id, in the order of paths."""
    named = ((path, NOTION_NAME.fullmatch(path.name)) for path in sorted(folder.rglob("*.md")))
    return {name[1]: path for path, name in named if name and "__MACOSX" not in path.parts}


def notion_target(address, pages):
    name = NOTION_TARGET.search(urllib.parse.unquote(address))
    is_of_notion = "://" not in address or re.match(r"https?://([\w.-]+\.)?notion\.(so|site|com)/", address)
    return name[1] if name and is_of_notion and name[1] in pages else None


def paragraphs(text):
    """The texts of a page without its title and its code."""
    text = re.sub(r"^(\s*)(```|~~~).*?^\s*\2\s*$", "", text.lstrip("\ufeff"), flags=re.M | re.S)
    body = text.split("\n", 1)[1] if text.startswith("# ") and "\n" in text else text
    return [part for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) )", body) if part.strip()]


def is_in_folder_of(page, source):
    """Whether a page stands below another one: in its folder, which newer exports name without the id."""
    name = source.stem
    folders = {source.with_name(name), source.with_name(name[:-33])}
    return any(folder in page.parents for folder in folders)


def linked_pages(pages):
    for source, path in pages.items():
        for text in paragraphs(path.read_text(encoding="utf-8")):
            links = [(link, notion_target(link[2], pages)) for link in MARKDOWN_LINK.finditer(text)]
            targets = {target for _, target in links if target}
            target = targets.pop() if len(targets) == 1 else None
            if target and target != source and not is_in_folder_of(pages[target], path):
                # Other links keep their words.
                shown = MARKDOWN_LINK.sub(lambda link: " " if notion_target(link[2], pages) else link[1], text)
                yield Linked(source, plain(shown), target)


# Rows

def spread(rows, count):
    """At most so many rows, at even distances."""
    if len(rows) <= count:
        return rows
    return [rows[at * len(rows) // count] for at in range(count)]


def row(number, linked, user):
    request = {"query": linked.query, "type": "search", "hints": {"excludeBlocks": [linked.source]}}
    if user:
        request["user"] = {"id": user}
    return {"id": f"link-{number:04}", "request": request, "relevant": [linked.target], "acceptable": []}


def rows_of(folder, min_words=12, count=300, user=None):
    found = [*linked_blocks(read_blocks(folder)), *linked_pages(read_pages(folder))]
    distinct = list(dict.fromkeys(linked for linked in found if word_count(linked.query) >= min_words))
    return [row(number, linked, user) for number, linked in enumerate(spread(distinct, count), 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("--min-words", type=int, default=12)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--user")
    options = parser.parse_args()
    rows = rows_of(options.folder, options.min_words, options.count, options.user)
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    options.rows.write_text("".join(lines), encoding="utf-8")
    print(f"{len(rows)} rows in {options.rows}")


if __name__ == "__main__":
    main()
