"""python3 -m unittest benches/test_train_weights.py (needs numpy and scipy)"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy as np
    import train_weights
except ImportError as error:
    raise unittest.SkipTest(f"{error.name} is not installed") from error


def questions(count=40, hits=200):
    """The first feature says what changed, the second is noise."""
    random = np.random.default_rng(1)
    features = [random.normal(size=(hits, 2)) for _ in range(count)]
    changed = [(rows[:, 0] == rows[:, 0].max()).astype(float) for rows in features]
    return train_weights.Questions(features, changed, [f"o/{at}" for at in range(count)], [1.0] * count)


class Train(unittest.TestCase):
    def test_what_tells_weighs_and_noise_does_not(self):
        tells, noise = train_weights.fitted(questions(), [0, 1])
        self.assertGreater(tells, 1.0)
        self.assertLess(abs(noise), tells / 5)

    def test_a_feature_that_tells_is_missed_where_it_is_left_out(self):
        with_it, without = (train_weights.checked(questions(), columns, 4) for columns in ([0, 1], [1]))
        self.assertGreater(with_it, without + 1.0)

    def test_questions_without_an_answer_are_left_out(self):
        kept = train_weights.Questions([np.ones((2, 1))] * 2, [np.zeros(2), np.ones(2)], ["a", "b"], [1.0, 3.0])
        self.assertEqual((kept.repos, kept.weights.tolist()), (["b"], [3.0]))
        self.assertEqual(kept.changed[0].tolist(), [0.5, 0.5])

    def test_what_changed_is_read_however_far_down(self):
        changed = np.zeros(400)
        changed[397] = 1.0
        at, stands_for = train_weights.thinned(changed)
        self.assertIn(397, at)
        self.assertEqual(stands_for[list(at).index(397)], 0.0)
        self.assertAlmostEqual(np.exp(stands_for).sum(), 400, delta=train_weights.KEPT)

    def test_chunks_learn_the_odds_and_the_rank_of_their_file(self):
        names, chunks = ["chunk_file", "chunk_file_rank"], np.zeros((3, 2))
        train_weights.add_file_odds(names, chunks, [0, 1, 1], np.array([-20.0, 2.0]))
        self.assertEqual(chunks[:, 0].tolist(), [train_weights.WORST_FILE, 0.0, 0.0])
        self.assertEqual(chunks[:, 1].tolist(), [np.log(2), 0.0, 0.0])

    def test_chances_add_up_in_each_question(self):
        question = np.array([0, 0, 1])
        chances = np.exp(train_weights.log_chances(np.array([1.0, 900.0, -5.0]), np.array([0, 2]), question))
        self.assertEqual(np.bincount(question, chances).tolist(), [1.0, 1.0])


if __name__ == "__main__":
    unittest.main()
