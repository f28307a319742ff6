package tables

import (
	"context"
	"errors"
	"time"

	"tripimport/importer/ledger"
)

// Opened converts an engine's ledger to the interface. After an error it returns a nil interface,
// not an interface with a nil pointer.
func Opened[L ledger.Ledger](l L, err error) (ledger.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Adopt adopts a copy that an engine has opened; see ledger.Store.Adopt. It calls enter, unless that
// is nil, and then adopt with the number that enter returned. After an error it closes the copy.
func Adopt(l ledger.Ledger, enter func(ledger.Ledger) (int64, error), adopt func(seen int64) error) (ledger.Ledger, error) {
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

// NoteAdopted records that the ledger was taken into use from an older copy.
func (l *Ledger) NoteAdopted(ctx context.Context, w *Writer, who, host string) error {
	w.LastEvent++
	return l.addEvent(ctx, w, w.LastEvent, event{at: time.Now(), kind: "adopted", detail: eventDetail{Who: who, Host: host}})
}
