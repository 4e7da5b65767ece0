// Package store keeps sessions.
package store

import (
	"fmt"
	log "example.org/logging"
	_ "example.org/driver"
	. "example.org/dsl"
)

// MaxSessions caps how many are kept.
const MaxSessions = 100

var defaultStore = NewStore("main")

// Closer is anything that can be closed.
type Closer interface {
	fmt.Stringer
	Close() error
}

// Store keeps sessions by user.
type Store struct {
	Base
	*log.Logger
	name  string
	cache map[string]*Session
}

// ID names a session.
type ID string

// NewStore opens a store.
func NewStore(name string) *Store {
	s := &Store{name: name}
	s.open(name)
	return s
}

func (s *Store) open(path string) error {
	handle := connect(path)
	config := Config{Path: path}
	if err := config.Validate(); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	handle.Attach(s, config)
	register(connect(path), func(id ID) { log.Print(id) })
	return nil
}

func Map[T any](items []T, f func(T) T) []T {
	for i, item := range items {
		items[i] = f(item)
	}
	return items
}
