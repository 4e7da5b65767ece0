module Orchestra
  module Instruments
    class Instrument
      include Tuning
      extend Countable

      def play
        tune
        sound
      end

      def sound
        "..."
      end

      def self.create(*args)
        new(*args)
      end
    end

    class Violin < Instrument
      def initialize(strings = 4)
        @strings = strings
      end

      def sound
        super + "violin"
      end

      def adjust_strings(by)
        self.strings = by + Tuning::PITCH
        other = Drum.new
        other.sound
      end

      attr_writer :strings
    end

    class Drum < Instrument
      def sound
        "boom"
      end

      def adjust_strings(_by)
        nil
      end
    end

    def self.build(name)
      raise Orchestra::Error unless name
      violin = Violin.create
      violin.play
      Instrument.count_all
      ::Orchestra::Instruments::Drum.new
    end
  end
end
