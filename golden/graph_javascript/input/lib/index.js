'use strict'

const path = require('path')
const { boil, toast: brown } = require('./cook')
const Oven = require('./oven')
const units = require('./units.mjs')

module.exports = { Oven, boil, serve, units }
module.exports.version = '1.0'

function serve(name) {
  const oven = new Oven(200)
  oven.heat()
  oven.bake(boil(name))
  brown(name)
  path.join(name, 'plate')
  return units.default(name)
}
