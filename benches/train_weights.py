#!/usr/bin/env python3
"""Fits the ranking's weights to examples: lines of TOML for `contextpack eval --weights`, and for src/search/weights.rs.

usage: train_weights.py EXAMPLES.jsonl... [--check K]

EXAMPLES are what `contextpack eval --bench ROWS --trees TREES --examples FILE` writes: of every file and chunk that a
question led to, what the ranking knew of it and whether the fix changed it. `rows_from_history.py` makes ROWS and TREES
of a git history; take projects that nothing is measured on.

Two softmax regressions, files first: the weights under which what a fix changed is likeliest among all that was found.
The chunks' model stands on the files' one. A small penalty on large weights keeps rare features in bounds. With
--check K, K-fold over projects: the mean likelihood of what changed in projects that were not fitted to, with all
features and without each. Needs numpy.
"""
import argparse
import json
import sys

import numpy as np

STEPS, RATE, PENALTY = 400, 0.05, 2.0
WORST_FILE = -12.0  # as in src/search/model.rs


class Questions:
    """Examples of one kind, one question after the other."""

    def __init__(self, features, changed, repos):
        kept = [at for at, hits in enumerate(changed) if hits.sum() > 0]
        self.repos = [repos[at] for at in kept]
        self.features = [features[at] for at in kept]
        self.changed = [changed[at] / changed[at].sum() for at in kept]

    def of(self, wanted):
        part = object.__new__(Questions)
        chosen = [at for at, repo in enumerate(self.repos) if wanted(repo)]
        part.repos = [self.repos[at] for at in chosen]
        part.features = [self.features[at] for at in chosen]
        part.changed = [self.changed[at] for at in chosen]
        return part

    def joined(self, columns):
        lengths = np.array([len(rows) for rows in self.features])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        question = np.repeat(np.arange(len(lengths)), lengths)
        return np.concatenate(self.features)[:, columns], np.concatenate(self.changed), starts, question


def chances(odds, starts, question):
    parts = np.exp(odds - np.maximum.reduceat(odds, starts)[question])
    return parts / np.add.reduceat(parts, starts)[question]


def fitted(questions, columns):
    rows, changed, starts, question = questions.joined(columns)
    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    rows = (rows - mean) / spread
    weights, first, second = np.zeros(len(columns)), np.zeros(len(columns)), np.zeros(len(columns))
    for step in range(1, STEPS + 1):
        slope = rows.T @ (chances(rows @ weights, starts, question) - changed) + PENALTY * weights
        slope /= len(questions.repos)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        rate = RATE if step < 0.6 * STEPS else 0.3 * RATE
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights / spread


def likelihood(questions, columns, weights):
    rows, changed, starts, question = questions.joined(columns)
    return changed @ np.log(chances(rows @ weights, starts, question) + 1e-9) / len(questions.repos)


def checked(questions, columns, folds):
    projects = sorted(set(questions.repos))
    fold = {project: at % folds for at, project in enumerate(projects)}
    found = []
    for at in range(folds):
        weights = fitted(questions.of(lambda repo: fold[repo] != at), columns)
        found.append(likelihood(questions.of(lambda repo: fold[repo] == at), columns, weights))
    return np.mean(found)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", nargs="+")
    parser.add_argument("--check", type=int, metavar="K")
    arguments = parser.parse_args()
    header, rows = None, []
    for path in arguments.examples:
        with open(path, encoding="utf-8") as lines:
            head = json.loads(next(lines))
            if header not in (None, head):
                sys.exit(f"{path}: its features are not those of {arguments.examples[0]}")
            header = head
            rows += [json.loads(line) for line in lines]
    rows = [row for row in rows if row["files"] and row["chunks"]]
    repos = [row["repo"] for row in rows]

    def table(kind):
        return [np.array([of["features"] for of in row[kind]]) for row in rows]

    def changed(kind):
        return [np.array([min(1.0, of["changed"]) for of in row[kind]]) for row in rows]

    files = table("files")
    weights = report(Questions(files, changed("files"), repos), header["file"], arguments.check)
    chunks = table("chunks")
    for row, of_files, of_chunks in zip(rows, files, chunks):
        odds = of_files @ weights
        odds = np.maximum(odds - odds.max(), WORST_FILE)
        of_chunks[:, header["chunk"].index("chunk_file")] = odds[[of["file"] for of in row["chunks"]]]
    report(Questions(chunks, changed("chunks"), repos), header["chunk"], arguments.check)


main()
