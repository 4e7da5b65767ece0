local function sieve(flour)
  return flour
end

local function grind(wheel)
  local sieve = sieve
  return sieve(wheel.speed)
end

function log_line(text)
  print(text)
end

local function log_twice(text)
  log_line(text)
  log_line(text)
end

return { grind = grind, log_twice = log_twice, sieve = sieve }
