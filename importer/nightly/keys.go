package nightly

import (
	"reflect"
	"strings"
)

// A Key describes a key of the block nightly.
type Key struct {
	Name string
	// Means says what the key's value is for.
	Means string
	// Below are the keys of the block that is its value, or of the blocks in it.
	Below []Key

	path string // "only" for a full path, "or name" for one or a name; empty for another value
}

// isPath reports whether a value of the key is a path.
func (k *Key) isPath(value string) bool {
	return k.path == "only" || k.path == "or name" && strings.ContainsAny(value, `/\`)
}

// Keys returns the keys of the block.
func Keys() []Key { return keysOf(reflect.TypeFor[Config]()) }

// keysOf returns the keys of a struct type that is a part of the block.
func keysOf(part reflect.Type) (keys []Key) {
	for field := range part.NumField() {
		f := part.Field(field)
		name := f.Tag.Get("yaml")
		if name == "" || name == "-" {
			continue
		}
		k := Key{Name: name, Means: f.Tag.Get("means"), path: f.Tag.Get("path")}
		below := f.Type
		for below.Kind() == reflect.Slice || below.Kind() == reflect.Pointer {
			below = below.Elem()
		}
		if below.Kind() == reflect.Struct {
			k.Below = keysOf(below)
		}
		keys = append(keys, k)
	}
	return keys
}
