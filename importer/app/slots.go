package app

import (
	"context"
	"errors"
	"time"

	"tripimport/importer/ledger"
)

// A SlotNote is a note about a slot of the nights, a time at which an import was due: any text of
// the caller.
type SlotNote struct {
	At   time.Time
	Text string
}

// slotFacts returns the kind of the ledger's facts that are notes about slots in the month of an
// instant. A night reads the last months alone, whatever the age of the ledger.
func slotFacts(at time.Time) string { return "slot " + at.UTC().Format("2006-01") }

// SlotNotes returns what was noted about the slots since an instant.
func (a *App) SlotNotes(ctx context.Context, from time.Time) (notes []SlotNote, err error) {
	first, now := from.UTC(), a.env.Clock.Now().UTC()
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		for month := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); !month.After(now); month = month.AddDate(0, 1, 0) {
			facts, err := l.Facts(ctx, slotFacts(month))
			if err != nil {
				return err
			}
			for _, f := range facts {
				if !f.At.Before(from) {
					notes = append(notes, SlotNote{At: f.At, Text: f.Value})
				}
			}
		}
		return nil
	})
	return notes, err
}

// NoteSlots records notes about slots in the ledger. If another run holds the ledger, it waits for at most wait.
func (a *App) NoteSlots(ctx context.Context, wait time.Duration, notes ...SlotNote) error {
	who, host := a.whoAmI()
	return a.writeLedger("nightly run", wait, func(l ledger.Ledger) (err error) {
		for _, n := range notes { // each has an event of its own, which keeps their order
			// The subject is the note itself, so that it replaces no other one.
			f := ledger.Fact{Kind: slotFacts(n.At), Subject: n.At.UTC().Format(time.RFC3339Nano) + " " + n.Text, Value: n.Text, Who: who, Host: host, At: n.At}
			err = errors.Join(err, l.SetFact(ctx, f))
		}
		return err
	})
}

// LedgerID returns a part of the ledger's identity, which no other office's ledger has.
func (a *App) LedgerID(ctx context.Context) (id string, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		id = l.Identity()
		return nil
	})
	return id[:min(8, len(id))], err
}

// TryLedger opens the office's ledger as an import does, and closes it again.
func (a *App) TryLedger() error {
	l, err := a.openLedger("nightly check", time.Minute, true)
	if err != nil {
		return err
	}
	return l.Close()
}

// TryFolder refuses a folder in which results can't be written.
func (a *App) TryFolder(dir string) error {
	_, err := a.tryFolder(dir, "files", "make it, give this user the right to write there, or correct its path in the settings")
	return err
}

// TryMapping refuses a mapping that can't be used for a real import, as far as the ledger can be
// asked. name is the path of a file, or the name of a template.
func (a *App) TryMapping(ctx context.Context, name string) error {
	m, err := ReadMapping(name)
	if err != nil {
		return err
	}
	found, err := a.Approval(ctx, m)
	if err != nil {
		return nil //nolint:nilerr // TryLedger tells
	}
	return a.refuseUnapproved(m, found, "FILE")
}
