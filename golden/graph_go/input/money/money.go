// Package money counts cents.
package money

import (
	"fmt"
	"strconv"
)

// Amount is so many cents.
type Amount struct {
	Cents int64
}

const scale = 100

// Zero is nothing.
var Zero = Amount{}

func New(cents int64) Amount { return Amount{Cents: cents} }

// Parse reads an amount.
func Parse(text string) (*Amount, error) {
	cents, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("amount: %w", err)
	}
	amount := New(cents)
	return &amount, nil
}

func (a Amount) Add(other Amount) Amount {
	return New(a.Cents + other.Cents)
}

func (a Amount) String() string {
	return fmt.Sprintf("%d.%02d", a.Cents/scale, a.Cents%scale)
}
