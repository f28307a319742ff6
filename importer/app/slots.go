package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"time"

	"tripimport/importer/ledger"
)

// SlotEvents returns what was recorded about the slots of the nights since an instant.
func (a *App) SlotEvents(ctx context.Context, from time.Time) (events []ledger.SlotEvent, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		events, err = l.SlotEvents(ctx, from)
		return err
	})
	return events, err
}

// NoteSlots records events of slots in the ledger. If another run holds the ledger, it waits
// for at most wait.
func (a *App) NoteSlots(ctx context.Context, wait time.Duration, events ...ledger.SlotEvent) error {
	l, err := a.openLedger("nightly run", wait)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err = l.NoteSlot(ctx, e); err != nil {
			break
		}
	}
	return errors.Join(err, l.Close())
}

// TokenMark returns a text that changes whenever the token, the address of the service or the
// user's settings change, and that reveals nothing about them. After a refusal, the service
// is worth asking again only when the mark has changed.
func (a *App) TokenMark(ctx context.Context) (mark string, err error) {
	address, err := a.Settings.address()
	if err != nil {
		return "", err
	}
	source, err := a.tokens(address)
	if err != nil {
		return "", err
	}
	token, err := source.Token(ctx)
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

// TryMapping refuses a mapping that can't be used for a real import. name is the path of a
// file, or the name of a template.
func TryMapping(name string) error {
	m, err := namedMapping(name)
	if err != nil {
		return err
	}
	return refuseDraft(m, false)
}
