import { EventEmitter } from 'node:events'
import { Shelf, Book, Map as Chart, limits, later, dates, Clock, type Holder } from '@library/core'
import * as core from '@library/core'
import { lasts as lastsFor } from '@library/core/dates'
import { addDays } from '@core/dates'
import missing from './missing'

export interface Options {
  shelf: Shelf
  clock?: Clock
}

export class Desk extends EventEmitter {
  private options: Options
  readonly chart: Chart = new Chart('north')

  constructor(options: Options) {
    super()
    this.options = options
    this.emit('open')
  }

  async lend(title: string): Promise<Book> {
    const book = this.options.shelf.find(title)
    if (limits.check(this.options.shelf)) limits.perShelf += 1
    this.options.clock?.now()
    this.chart.show()
    book!.show()
    later(new Date(), 1)
    dates.addDays(new Date(), 2)
    addDays(new Date(), 3)
    lastsFor({ from: new Date(), days: 4 })
    return new core.Book(title)
  }

  async renew(title: string, holder: Holder) {
    const lent = await this.lend(title)
    lent.show()
    holder.release(lent)
    const shelf = new Shelf(holder)
    shelf.release(lent)
    missing(title)
  }
}

export function show(item: unknown, later: (at: Date) => void) {
  later(new Date())
  const limits = { check: () => true }
  limits.check()
  return (item as any).show()
}

export function openDesk(shelf: Shelf): Desk {
  return new Desk({ shelf })
}

namespace Forms {
  export function stamp(book: Book) {
    return book.show() + mark()
  }
  function mark() {
    return '#'
  }
}

Forms.stamp(new Book('atlas'))
openDesk(new Shelf(undefined as never)).lend('atlas')
