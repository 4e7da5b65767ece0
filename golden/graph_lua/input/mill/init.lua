local grain = require("mill.grain")
local Wheel = require("mill.wheel")

local M = {}

M.VERSION = "1.0"

function M.start(config)
  local wheel = Wheel.new(config.size)
  wheel:turn(3)
  M.stop(wheel)
  local grind = grain.grind
  return grind(wheel)
end

function M.stop(wheel)
  wheel:halt()
  log_line("stopped")
end

M.wheel = Wheel

return M
