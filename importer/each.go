package importer

import (
	"slices"
	"strings"
)

// Each returns what of says of each element of a list, in their order; nil for an empty list.
func Each[T, V any](list []T, of func(T) V) (all []V) {
	for _, one := range list {
		all = append(all, of(one))
	}
	return all
}

// Joined joins the texts that are not empty.
func Joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// One returns 1 for what is so and 0 for what is not, to count it.
func One(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Last returns the last element of a list that is the one that is looked for, or nil.
func Last[T any](list []T, is func(*T) bool) *T {
	for i := range slices.Backward(list) {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// First returns the first element of a list that is the one that is looked for, or nil.
func First[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}
