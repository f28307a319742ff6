package tables

import (
	"errors"

	"tripimport/importer/ledger/next"
)

// Opened converts an engine's ledger to the interface. After an error it returns a nil
// interface, not an interface with a nil pointer.
func Opened[L next.Ledger](l L, err error) (next.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Adopt adopts a copy that an engine has opened, as ledger.Store says. It calls enter,
// unless that is nil, and then adopt with the number that enter returned. After an error
// it closes the copy.
func Adopt(l next.Ledger, enter func(next.Ledger) (int64, error), adopt func(seen int64) error) (next.Ledger, error) {
	var seen int64
	var err error
	if enter != nil {
		seen, err = enter(l)
	}
	if err == nil {
		err = adopt(seen)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
