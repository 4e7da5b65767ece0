"""Wall seconds that aider's repo map takes over a tree, a line a run: TREE MAP_TOKENS RUNS.

It keeps its tags below the tree, so the first run parses and the others find them there. Tokens are taken to be
four characters each: its own counter needs the network, and costs more.
"""

import os
import sys
import time

from aider.repomap import RepoMap


class Model:
    def token_count(self, text):
        return len(text) // 4


class Output:
    def __getattr__(self, name):
        return lambda *arguments, **options: None

    def read_text(self, path, silent=False):
        with open(path, encoding="utf-8", errors="ignore") as file:
            return file.read()


tree, tokens, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names)
for _ in range(runs):
    start = time.perf_counter()
    repo_map = RepoMap(map_tokens=tokens, root=tree, main_model=Model(), io=Output(), map_mul_no_files=1)
    text = repo_map.get_repo_map([], files)
    print(f"{time.perf_counter() - start:.3f} {len(text or '') // 4}", flush=True)
