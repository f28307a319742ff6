package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"tripimport/importer/ledger"
)

// A SlotEvent is an event of a slot, a time at which an import was due.
type SlotEvent struct {
	At time.Time `json:"-"`
	// Slot names the slot and Kind the kind of event. Broker and Input, the SHA-256 of a file
	// in hex, may be empty.
	Slot   string `json:"slot"`
	Kind   string `json:"kind"`
	Broker string `json:"broker,omitempty"`
	Input  string `json:"input,omitempty"`
	// Detail is any text of the caller.
	Detail string `json:"detail,omitempty"`
}

// slotFacts returns the kind of the ledger's facts that are events of slots in the month of an
// instant. A night reads the last months alone, whatever the age of the ledger.
func slotFacts(at time.Time) string { return "slot " + at.UTC().Format("2006-01") }

// fact returns the fact of the ledger that records the event. Its subject is the event itself,
// so that it replaces no other one.
func (e *SlotEvent) fact(who, host string) (ledger.Fact, error) {
	value, err := json.Marshal(e)
	return ledger.Fact{
		Kind: slotFacts(e.At), Subject: e.At.UTC().Format(time.RFC3339Nano) + " " + string(value), Value: string(value),
		Who: who, Host: host, At: e.At,
	}, err
}

// SlotEvents returns what was recorded about the slots of the nights since an instant.
func (a *App) SlotEvents(ctx context.Context, from time.Time) (events []SlotEvent, err error) {
	first, now := from.UTC(), a.env.Clock.Now().UTC()
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		for month := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); !month.After(now); month = month.AddDate(0, 1, 0) {
			facts, err := l.Facts(ctx, slotFacts(month))
			if err != nil {
				return err
			}
			for _, f := range facts {
				e := SlotEvent{At: f.At}
				if err := json.Unmarshal([]byte(f.Value), &e); err != nil {
					return err
				}
				if !e.At.Before(from) {
					events = append(events, e)
				}
			}
		}
		return nil
	})
	return events, err
}

// NoteSlots records events of slots in the ledger. If another run holds the ledger, it waits
// for at most wait.
func (a *App) NoteSlots(ctx context.Context, wait time.Duration, events ...SlotEvent) error {
	l, err := a.openLedger("nightly run", wait, false)
	if err != nil {
		return err
	}
	for i := range events {
		fact, err := events[i].fact(a.whoAmI())
		if err == nil {
			err = l.SetFact(ctx, fact)
		}
		if err != nil {
			return errors.Join(err, l.Close())
		}
	}
	return l.Close()
}

// TokenMark returns a text that changes whenever the token, the address of the service or the
// user's settings change, and that reveals nothing about them. After a refusal, the service
// is worth asking again only when the mark has changed.
func (a *App) TokenMark(ctx context.Context) (mark string, err error) {
	address, err := a.Settings.address()
	if err != nil {
		return "", err
	}
	token, err := a.tokenSource(address).Token(ctx)
	if err != nil {
		return "", err
	}
	settings, err := os.ReadFile(a.Folders.Settings())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		h := hmac.New(sha256.New, l.Key("token mark"))
		for _, part := range [][]byte{[]byte(token.Reveal()), {0}, []byte(address), {0}, settings} {
			_, _ = h.Write(part) // never fails
		}
		mark = hex.EncodeToString(h.Sum(nil)[:8])
		return nil
	})
	return mark, err
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
	l, err := a.openLedgerForRun("nightly check", time.Minute)
	if err != nil {
		return err
	}
	return l.Close()
}

// TryFolder refuses a folder in which results can't be written.
func (a *App) TryFolder(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Usage("make it, or correct its path in the settings", "the folder %s is not there", dir)
	}
	_, err := a.tryFolder(dir, "files", roomForResults, "give this user the right to write there")
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
