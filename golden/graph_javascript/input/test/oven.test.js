const assert = require('node:assert')
const kitchen = require('..')
const Oven = require('../lib/oven')

it('bakes', () => {
  const oven = new Oven(10)
  assert.equal(oven.bake({}), 180)
  kitchen.serve('rice')
})
