--- Keeps what is in stock and who reserved it.
local json = require("cjson")
local log = require "app.log"
local round = require("app.numbers").round
require("app.patches")

local Warehouse = require("app.warehouse")

-- How many pieces one order may take.
local MAX_PIECES = 50
local clock, zone = os.clock, "UTC"
local pending
default_store = Warehouse.open("main")

local Inventory = {}
Inventory.__index = Inventory
Inventory.version = "1.2"

local Perishable = setmetatable({}, { __index = Inventory })
Perishable.__index = Perishable

--- Limits by kind of article.
local limits = {
  glass = 10,
  steel = MAX_PIECES,
  check = function(kind, count)
    return count <= limits[kind]
  end,
}

-- Rounds to whole crates.
local function crates(count)
  local size = limits.glass
  return round(count / size)
end

local describe = function(item)
  return ("%s x%d"):format(item.name, item.count)
end

--- Opens an inventory for a store.
-- @param store where the pieces lie
function Inventory.new(store, options)
  local self = setmetatable({}, Inventory)
  self.store = store
  self.items = options.items or {}
  self:load(store)
  return self
end

function Inventory:load(store)
  local handle = Warehouse.connect(store)
  local rows = handle:rows("stock")
  for index, row in ipairs(rows) do
    self.items[index] = json.decode(row)
  end
  log.info("loaded", #rows, describe(rows[1]))
  handle:close()
end

--- Sets pieces aside.
function Inventory:reserve(name, count)
  local limits = self:own_limits()
  if count > MAX_PIECES or count > limits[name] then
    error("too many")
  end
  self:each(function(item)
    if item.name == name then
      item.count = item.count - crates(count)
    end
  end)
  for step = 1, count do
    pending = step
  end
  return self.store:commit(name, Warehouse.connect(name))
end

Inventory.each = function(self, visit)
  for _, item in pairs(self.items) do
    visit(item)
  end
end

function Perishable:expire(now)
  local lazy = require("app.lazy")
  lazy.purge(self, now or clock())
end

function report()
  print(zone, default_store)
end

return Inventory
