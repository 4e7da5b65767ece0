#!/usr/bin/env python3
"""What each feature of the ranking gives: alone, and when it is taken away.

usage: ablation.py CONTEXTPACK EVAL_OPTION...

    benches/ablation.py target/release/contextpack --bench rows.jsonl --trees trees --indexes indexes

A table in markdown. `removed` is the difference that its weight of zero makes to the whole ranking; `alone` is the
difference that it makes to one that knows the words of chunks and files and nothing else. With 95 % intervals of a
paired bootstrap over questions, by `contextpack eval --compare`.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

KINDS = ["test", "vendored", "generated", "prose", "data", "records", "example"]
FEATURES = {
    "two words as one name": ["compound"],
    "definition of a named symbol": ["definition", "chunk_definition"],
    "qualified name": ["qualified", "chunk_qualified"],
    "named file": ["path"],
    "named line": ["place", "chunk_place"],
    "quotation": ["quotation"],
    "file's name": ["stem"],
    "file's rank": ["file_rank"],
    "further hits in the file": ["file_further"],
    "used by other hits": ["file_used_by"],
    "uses other hits": ["file_uses"],
    "words in its best chunk": ["file_chunk_words"],
    "words in the path": ["file_in_path"],
    "header": ["file_declares"],
    "kinds of files": KINDS,
    "place in the file": ["chunk_order"],
    "words of the chunk": ["chunk_own_words", "chunk_covered", "chunk_words_in_file"],
    "words in names": ["chunk_names"],
    "words in the comment": ["chunk_doc"],
    "ranks": ["chunk_rank", "chunk_file_rank"],
    "chunks in the file": ["chunk_siblings"],
    "how much it is used": ["chunk_users"],
    "next to another hit": ["chunk_near"],
    "body that runs": ["chunk_callable"],
    "length": ["chunk_size"],
    "lines of code": ["chunk_code"],
    "new file": ["new_file"],
}
SHOWN = ["R@1", "R@10", "packfile", "edit"]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, options = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def measured(name, zeros):
            weights, saved = folder / f"{name}.toml", folder / f"{name}.jsonl"
            weights.write_text("".join(f"{weight} = 0.0\n" for weight in zeros))
            command = [program, "eval", *options, "--as-is", "--quiet", "--weights", weights, "--save", saved]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            return saved

        def change(before, after):
            command = [program, "eval", "--compare", before, after, "--json"]
            changes = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["changes"]
            changes = {change["metric"]: change for change in changes}
            return " | ".join(cell(changes[name]) for name in SHOWN)

        everything = sorted({weight for weights in FEATURES.values() for weight in weights})
        whole, bare = measured("whole", []), measured("bare", everything)
        print("| feature |", " | ".join(f"{name} removed" for name in SHOWN), "|", end=" ")
        print(" | ".join(f"{name} alone" for name in SHOWN), "|")
        print("| --- |" + " --- |" * 2 * len(SHOWN))
        for at, (feature, weights) in enumerate(FEATURES.items()):
            removed = measured(f"without-{at}", weights)
            alone = measured(f"with-{at}", [weight for weight in everything if weight not in weights])
            print(f"| {feature} | {change(whole, removed)} | {change(bare, alone)} |", flush=True)


def cell(change):
    low, high = change["interval"]
    return f"{100 * change['difference']:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


if __name__ == "__main__":
    main()
