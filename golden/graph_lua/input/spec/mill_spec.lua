local mill = require("mill")
local grain = require "mill.grain"

describe("mill", function()
  it("starts", function()
    assert.equals(0, mill.start({ size = 1 }))
    grain.log_twice("x")
    visitor:check_speed()
    visitor:get()
  end)
end)
