"""Run by `python3 -m unittest discover -s benches`."""
import unittest

import workspace_tokens as tokens


def payload(text, total, sections):
    return {
        "payloadId": "ctx:1",
        "serialized": text,
        "metadata": {"totalTokens": total, "tokenizer": "o200k_base"},
        "sections": [{"tokenCount": count} for count in sections],
    }


class Tokens(unittest.TestCase):
    def fault(self, *words):
        return tokens.fault_of(payload(*words), lambda name, text: len(text.split()))

    def test_a_payload_says_what_is_counted(self):
        self.assertIsNone(self.fault("one two three", 3, [1, 1]))
        self.assertIsNone(self.fault("", 0, []))
        self.assertIn("counts 3", self.fault("one two three", 4, [1]))
        self.assertIn("of its sections", self.fault("one two three", 3, [2, 2]))

    def test_records_hold_payloads(self):
        self.assertEqual(tokens.payload_of({"payload": 1, "request": 2}), 1)
        self.assertEqual(tokens.payload_of({"sections": []}), {"sections": []})


if __name__ == "__main__":
    unittest.main()
