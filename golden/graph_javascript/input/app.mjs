import kitchen, { serve } from './lib/index.js'
import Oven from './lib/oven.js'
import convert, { g, grams as weigh } from './lib/units.mjs'
import * as units from './lib/units.mjs'

export * from './lib/units.mjs'
export { default } from './lib/units.mjs'

const oven = new Oven(90)

export function main(items) {
  serve('egg')
  kitchen.serve('ham')
  convert('1')
  g(2)
  weigh(3)
  units.grams(4)
  oven.heat()
  items.forEach((item) => item.bake())
  const grams = items.length
  return import('./lib/cook.js').then((cook) => cook.boil(grams))
}
