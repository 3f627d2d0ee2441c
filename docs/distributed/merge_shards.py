#!/usr/bin/env python3
"""Puts shards together in the list's order, however long they are:

    python3 docs/distributed/merge_shards.py out/list.*of64.monomi.jsonl > list.jsonl
"""

import heapq
import json
import sys

files = [open(name, encoding="utf-8") for name in sys.argv[1:]]
sys.stdout.reconfigure(encoding="utf-8", newline="\n")
sys.stdout.writelines(heapq.merge(*files, key=lambda row: json.loads(row)["line"]))
