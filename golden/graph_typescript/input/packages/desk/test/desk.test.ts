import { describe, expect, it } from 'vitest'
import { Desk, openDesk, show } from '../src/desk'
import type { Shelf } from '@library/core'

describe('the desk', () => {
  it('lends', async () => {
    const shelf = {} as Shelf
    const desk = openDesk(shelf)
    expect(await desk.lend('atlas')).toBeDefined()
    const other: Desk = new Desk({ shelf })
    other.renew('atlas', shelf)
    expect(show(null, () => {})).toBe('')
  })
})
