# frozen_string_literal: true

require "json"
require_relative "orchestra/tuning"
require_relative "orchestra/instruments"

module Orchestra
  VERSION = "1.0"

  class Error < StandardError; end

  def self.assemble(names)
    players = names.map { |name| Instruments.build(name) }
    Score.new(players).play
  end

  class Score
    attr_reader :players

    def initialize(players)
      @players = players
      @tempo = Tempo.new(VERSION)
    end

    def play
      players.each { |player| player.play }
      @tempo.mark_beat
      raise Error, "silence" if players.empty?
      to_json
    end

    private

    def to_json
      JSON.generate(players)
    end

    class Tempo
      def initialize(beats)
        @beats = beats
      end

      def mark_beat
        @beats
      end
    end
  end
end
