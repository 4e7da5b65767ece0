#!/usr/bin/env python3
"""Counts the tokens of payloads once more, by tiktoken, and compares.

usage: workspace_tokens.py PAYLOADS.jsonl

Each line is a payload, or a record with one. What a payload says of its text must be what tiktoken counts: exactly, and
each section's tokens must add up to it with what is left for the frame. Exits with 1 if any differs. Needs tiktoken;
benches/fetch-tiktoken installs it.
"""
import json
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        payloads = [payload_of(json.loads(line)) for line in lines if line.strip()]
    count = counter()
    wrong = [fault for payload in payloads for fault in [fault_of(payload, count)] if fault]
    print(f"{len(payloads)} payloads, {sum(tokens_of(payload) for payload in payloads)} tokens, {len(wrong)} differ")
    for fault in wrong[:10]:
        print(fault)
    sys.exit(1 if wrong or not payloads else 0)


def payload_of(record):
    return record.get("payload", record)


def tokens_of(payload):
    return payload["metadata"]["totalTokens"]


def fault_of(payload, count):
    """What is wrong with a payload; None if nothing is."""
    found = count(payload["metadata"]["tokenizer"], payload["serialized"])
    said, sections = tokens_of(payload), sum(section["tokenCount"] for section in payload["sections"])
    if found != said:
        return f"{payload['payloadId']} says {said} tokens; tiktoken counts {found}"
    if sections > said:
        return f"{payload['payloadId']} says {said} tokens, and {sections} of its sections"
    return None


def counter():
    """Counts text as text: what looks like a special token is none."""
    import tiktoken

    return lambda name, text: len(tiktoken.get_encoding(name).encode(text, disallowed_special=()))


if __name__ == "__main__":
    main()
