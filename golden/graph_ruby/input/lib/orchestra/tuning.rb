module Orchestra
  module Tuning
    PITCH = 440

    def tune(by = PITCH)
      adjust_strings(by)
    end
  end

  module Countable
    def count_all
      1
    end
  end
end
