import Clock, { lasts, type Period } from './dates'

export enum State {
  Open,
  Lent,
}

export interface Holder {
  readonly state: State
  find(title: string): Book | undefined
  release(book: Book): void
}

export abstract class Item {
  constructor(public readonly title: string) {}

  abstract label(): string

  show() {
    return this.label() + this.title
  }
}

export class Book extends Item {
  private history: Period[] = []
  holder?: Holder

  label() {
    return 'book'
  }

  override show() {
    return super.show() + lasts(this.history[0])
  }
}

export class Map extends Item {
  label() {
    return 'map'
  }
}

export class Shelf implements Holder {
  state = State.Open
  #clock = new Clock()
  private books: Book[] = []

  constructor(private readonly parent: Holder) {}

  find(title: string) {
    const label = (book: Book) => book.label()
    return this.books.find((book) => label(book) === title) ?? this.parent.find(title)
  }

  release(book: Book) {
    book.holder = this
    this.#clock.now()
    book.holder?.release(book)
    Clock.system.now()
  }
}

export type Shelves = Record<string, Shelf>

export const limits = {
  perShelf: 40,
  check(shelf: Shelf) {
    return shelf.state === State.Lent
  },
}
