package importer

// Each returns what of says of each element of a list, in their order; nil for an empty list.
func Each[T, V any](list []T, of func(T) V) (all []V) {
	for _, one := range list {
		all = append(all, of(one))
	}
	return all
}
