local cjson = require("cjson")

local Wheel = {}
Wheel.__index = Wheel

function Wheel.new(size)
  local self = setmetatable({}, Wheel)
  self.size = size
  self.speed = 0
  self:halt()
  return self
end

function Wheel:turn(times)
  self.speed = self.speed + times
  self:check_speed()
end

function Wheel:halt()
  self.speed = 0
end

function Wheel:check_speed()
  cjson.encode(self.speed)
  assert(self.speed > 0)
end

local Big = setmetatable({}, { __index = Wheel })
Big.__index = Big

function Big:turn(times)
  Wheel.turn(self, times * 2)
  self:halt()
end

return Wheel
