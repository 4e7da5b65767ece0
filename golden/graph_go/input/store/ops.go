package store

import (
	"os"

	. "example.com/depot/money"
)

type audit struct{ lines []string }

func (a *audit) LogLine(text string) { a.lines = append(a.lines, text) }

type printer struct{}

func (printer) LogLine(text string) { os.Stdout.WriteString(text) }

// Put stands in another file than its type.
func (s *Shelf) Put(text string) error {
	amount, err := Parse(text)
	if err != nil {
		return err
	}
	item := &Item{Cost: *amount}
	s.items = append(s.items, item)
	s.best = item
	s.log.LogLine(amount.String())
	s.audit.LogLine(text)
	return nil
}

func (s *Shelf) Best() *Item { return s.best }

func (s *Shelf) Price() Amount {
	first := s.best.Price()
	s.Best().Price()
	s.items[0].Price()
	s.byName["x"].Price()
	return first.Add(New(1))
}

func describe(p Priced, visit func(string), thing interface{ LogLine(string) }) {
	p.Price()
	visit("x")
	thing.LogLine("y")
}

func shadow(total int) int {
	New := func() int { return total }
	return New()
}

func closeAll(things []any) {
	for _, thing := range things {
		thing.(interface{ Close() }).Close()
	}
}
