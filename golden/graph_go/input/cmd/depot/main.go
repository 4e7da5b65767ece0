package main

import (
	"fmt"
	"log"

	"example.com/depot/missing"
	"example.com/depot/store"
)

type stdout struct{}

func (stdout) LogLine(text string) { fmt.Println(text) }

func main() {
	shelf := store.NewShelf("top", stdout{})
	if err := shelf.Put("12"); err != nil {
		log.Fatal(err)
	}
	shelf.Rename("bottom")
	var item store.Item
	fmt.Println(item.Price().String(), shelf.Best().Cost.Cents)
	var priced store.Priced = shelf
	priced.Price()
	missing.Call()
	total()
}

func total() {}
