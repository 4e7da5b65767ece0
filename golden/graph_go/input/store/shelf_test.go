package store

import "testing"

func newTestShelf() *Shelf { return NewShelf("test", printer{}) }

func TestPut(t *testing.T) {
	shelf := newTestShelf()
	if err := shelf.Put("3"); err != nil {
		t.Fatal(err)
	}
	total([]Priced{shelf})
}
