package importer

// Each returns what of says of each element of a list, in their order; nil for an empty list.
func Each[T, V any](list []T, of func(T) V) (all []V) {
	for _, one := range list {
		all = append(all, of(one))
	}
	return all
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
