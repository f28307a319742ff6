package nightly

import "reflect"

// A Key describes a key of the block nightly.
type Key struct {
	// Name is the key, and Depth the number of keys above it.
	Name  string
	Depth int
	// Means says what the key's value is for.
	Means string
}

// Keys returns every key of the block, each before the keys below it.
func Keys() []Key { return keysOf(reflect.TypeFor[Config](), 1) }

// keysOf returns the keys of a struct type that is a part of the block.
func keysOf(part reflect.Type, depth int) []Key {
	var keys []Key
	for field := range part.NumField() {
		f := part.Field(field)
		if f.Tag.Get("yaml") == "-" {
			continue
		}
		keys = append(keys, Key{f.Tag.Get("yaml"), depth, f.Tag.Get("means")})

		below := f.Type
		for below.Kind() == reflect.Slice || below.Kind() == reflect.Pointer {
			below = below.Elem()
		}
		if below.Kind() == reflect.Struct && below.Field(0).Tag.Get("means") != "" {
			keys = append(keys, keysOf(below, depth+1)...)
		}
	}
	return keys
}
