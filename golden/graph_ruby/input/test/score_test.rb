require "minitest/autorun"
require_relative "../lib/orchestra"

class ScoreTest < Minitest::Test
  def test_play
    score = Orchestra::Score.new([])
    assert_raises(Orchestra::Error) { score.play }
    Orchestra.assemble([])
    thing = load_thing
    thing.sound
    thing.adjust_strings(1)
  end
end
