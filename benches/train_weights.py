#!/usr/bin/env python3
"""Fits the ranking's weights to examples: lines of TOML for `contextpack eval --weights`, and for src/search/weights.rs.

usage: train_weights.py EXAMPLES.jsonl[:WEIGHT]... [--check K]

EXAMPLES are what `contextpack eval --bench ROWS --trees TREES --examples FILE` writes: of every file and chunk that a
question led to, what the ranking knew of it and whether the fix changed it. `rows_from_history.py` makes ROWS and TREES
of a git history; take projects that nothing is measured on. WEIGHT says how much a question of that file counts.

Two softmax regressions, files first: the weights under which what a fix changed is likeliest among all that was found.
The chunks' model stands on the odds of files, which come from weights that were not fitted to the chunk's project. A
small penalty on large weights keeps rare features in bounds. Of the chunks far down in the list only every fourth is
read; it counts for four. With --check K, K-fold over projects: the mean likelihood of what changed in projects that were
not fitted to, with all features and without each. Needs numpy and scipy.
"""
import argparse
import hashlib
import json
import sys

import numpy as np
from scipy.optimize import minimize

STEPS, PENALTY = 60, 5.0
WORST_FILE = -12.0  # as in src/search/features.rs
TOP, KEPT = 120, 4  # so many hits are all read, and one of so many of the rest
HALVES = 2


class Questions:
    """Examples of one kind, one question after the other."""

    def __init__(self, features, changed, repos, weights):
        kept = [at for at, hits in enumerate(changed) if hits.sum() > 0]
        self.repos = [repos[at] for at in kept]
        self.weights = np.array([weights[at] for at in kept])
        self.features = [features[at] for at in kept]
        self.changed = [changed[at] / changed[at].sum() for at in kept]

    def of(self, wanted):
        part = object.__new__(Questions)
        chosen = [at for at, repo in enumerate(self.repos) if wanted(repo)]
        part.repos = [self.repos[at] for at in chosen]
        part.weights = self.weights[chosen]
        part.features = [self.features[at] for at in chosen]
        part.changed = [self.changed[at] for at in chosen]
        return part

    def joined(self, columns):
        """The rows of all questions, what changed, the logarithm of how many rows each stands for, where each question
        starts, and the question of each row."""
        chosen = [thinned(changed) for changed in self.changed]
        lengths = np.array([len(rows) for rows, _ in chosen])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        rows = np.concatenate([rows[at][:, columns] for rows, (at, _) in zip(self.features, chosen)])
        changed = np.concatenate([changed[at] for changed, (at, _) in zip(self.changed, chosen)])
        stands_for = np.concatenate([stands_for for _, stands_for in chosen])
        return rows, changed, stands_for, starts, np.repeat(np.arange(len(lengths)), lengths)


def thinned(changed):
    """Which hits of a question are read, and the logarithm of how many each stands for."""
    at = np.arange(len(changed))
    certain = (at < TOP) | (changed > 0)
    read = certain | (at % KEPT == 0)
    return at[read], np.where(certain, 0.0, np.log(KEPT))[read]


def log_chances(odds, starts, question):
    odds = odds - np.maximum.reduceat(odds, starts)[question]
    return odds - np.log(np.add.reduceat(np.exp(odds), starts))[question]


def fitted(questions, columns):
    rows, changed, stands_for, starts, question = questions.joined(columns)
    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    rows = (rows - mean) / spread
    counts = questions.weights[question]

    def loss(weights):
        chances = log_chances(rows @ weights + stands_for, starts, question)
        slope = rows.T @ ((np.exp(chances) - changed) * counts) + PENALTY * weights
        return -(counts * changed) @ (chances - stands_for) + PENALTY / 2 * weights @ weights, slope

    start = np.zeros(len(columns))
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x / spread


def likelihood(questions, columns, weights):
    rows, changed, stands_for, starts, question = questions.joined(columns)
    chances = log_chances(rows @ weights + stands_for, starts, question) - stands_for
    return changed @ chances / len(questions.repos)


def fold_of(repo, folds):
    """The same whatever other projects there are."""
    return int(hashlib.md5(repo.encode()).hexdigest(), 16) % folds


def checked(questions, columns, folds):
    found, count = 0.0, 0
    for at in range(folds):
        left_out = questions.of(lambda repo: fold_of(repo, folds) == at)
        weights = fitted(questions.of(lambda repo: fold_of(repo, folds) != at), columns)
        found += likelihood(left_out, columns, weights) * len(left_out.repos)
        count += len(left_out.repos)
    return found / count


def report(questions, names, folds):
    columns = list(range(len(names)))
    weights = fitted(questions, columns)
    everything = checked(questions, columns, folds) if folds else None
    for at, (name, weight) in enumerate(zip(names, weights)):
        without = [column for column in columns if column != at]
        note = f"  # {everything - checked(questions, without, folds):+.4f}" if folds else ""
        print(f"{name} = {weight:.3f}{note}")
    if folds:
        print(f"# mean log likelihood in projects that were left out: {everything:.4f}; after each weight, what it adds")
    return weights


def add_file_odds(names, chunks, file_of_chunk, odds):
    """Fills in what the chunks' model knows from the files' one: the odds of each chunk's file, and its rank."""
    ranks = np.empty(len(odds))
    ranks[np.argsort(-odds, kind="stable")] = np.arange(len(odds))
    chunks[:, names.index("chunk_file")] = np.maximum(odds - odds.max(), WORST_FILE)[file_of_chunk]
    chunks[:, names.index("chunk_file_rank")] = np.log1p(ranks)[file_of_chunk]


def read(arguments):
    """The header, the questions, and how much each counts."""
    header, rows, weights = None, [], []
    for argument in arguments:
        path, _, weight = argument.partition(":")
        with open(path, encoding="utf-8") as lines:
            head = json.loads(next(lines))
            if header not in (None, head):
                sys.exit(f"{path}: its features are not those of {arguments[0]}")
            header = head
            found = [row for row in map(json.loads, lines) if row["files"] and row["chunks"]]
        rows += found
        weights += [float(weight or 1)] * len(found)
    return header, rows, weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", nargs="+")
    parser.add_argument("--check", type=int, metavar="K")
    arguments = parser.parse_args()
    header, rows, weights = read(arguments.examples)
    repos = [row["repo"] for row in rows]

    def table(kind):
        return [np.array([of["features"] for of in row[kind]]) for row in rows]

    def changed(kind):
        return [np.array([min(1.0, of["changed"]) for of in row[kind]]) for row in rows]

    files = table("files")
    questions = Questions(files, changed("files"), repos, weights)
    report(questions, header["file"], arguments.check)
    columns = list(range(len(header["file"])))
    of_halves = [fitted(questions.of(lambda repo: fold_of(repo, HALVES) != half), columns) for half in range(HALVES)]
    chunks = table("chunks")
    for row, of_files, of_chunks in zip(rows, files, chunks):
        file_of_chunk = [of["file"] for of in row["chunks"]]
        add_file_odds(header["chunk"], of_chunks, file_of_chunk, of_files @ of_halves[fold_of(row["repo"], HALVES)])
    report(Questions(chunks, changed("chunks"), repos, weights), header["chunk"], arguments.check)


if __name__ == "__main__":
    main()
