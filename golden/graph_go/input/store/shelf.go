package store

import (
	"sync"

	cash "example.com/depot/money"
	"github.com/google/uuid"
)

// Priced is anything with a price.
type Priced interface {
	Price() cash.Amount
}

// Logger is told what happens.
type Logger interface {
	LogLine(text string)
}

type Item struct {
	ID   uuid.UUID
	Cost cash.Amount
}

func (i *Item) Price() cash.Amount { return i.Cost }

type base struct {
	mu   sync.Mutex
	name string
}

func (b *base) Rename(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.name = name
}

// Shelf holds items.
type Shelf struct {
	base
	*audit
	items  []*Item
	best   *Item
	byName map[string]*Item
	log    Logger
}

func NewShelf(name string, log Logger) *Shelf {
	s := &Shelf{log: log}
	s.Rename(name)
	return s
}

func total(all []Priced) cash.Amount {
	sum := cash.Zero
	for _, one := range all {
		sum = sum.Add(one.Price())
	}
	return sum
}
