package postgres

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
)

// An aside is a file of this machine, for this user alone, with the answers that could
// not be recorded in the ledger. It holds what the ledger would hold in clear: the number
// of the attempt, what came of it, and the GUID.
type aside struct {
	path string
	mu   sync.Mutex
}

// A keptAnswer is one line of it: the answer to an attempt, or to a change.
type keptAnswer struct {
	Attempt    int64               `json:"attempt,omitempty"`
	Change     int64               `json:"change,omitempty"`
	Settlement importer.Settlement `json:"settlement"`
}

func newAside(folder, identity string) *aside {
	return &aside{path: filepath.Join(folder, identity+".answers")}
}

// keep returns err. Where that says that the ledger can't be written, it keeps the answer.
func (l *Ledger) keep(err error, a keptAnswer) error {
	var failed *ledger.Error
	if !errors.As(err, &failed) || l.aside == nil || failed.Code == ledger.RunEndedError().Code {
		return err
	}
	if kept := l.aside.add(a); kept != nil {
		return failed.Because(errors.Join(err, kept)) // the trip is shown as one that may be booked
	}
	return err
}

// add adds an answer. It is durable once add returns nil.
func (a *aside) add(answer keptAnswer) error {
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := keyfile.WriteNew(a.path, nil); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.OpenFile(a.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// enterAside records the answers that were kept aside, and removes their file. One whose
// trip is not open any more, since a person has answered, is left out.
func (l *Ledger) enterAside(ctx context.Context) error {
	text, err := os.ReadFile(l.aside.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return l.aside.unreadable(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var a keptAnswer
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			continue // half a line, of a power cut: its trip may be booked
		}
		if a.Attempt != 0 {
			err = l.Ledger.Settle(ctx, importer.Claimed{Attempt: a.Attempt}, a.Settlement)
		} else {
			err = l.Ledger.SettleChange(ctx, importer.ClaimedChange{Number: a.Change}, a.Settlement)
		}
		var failed *ledger.Error
		if errors.As(err, &failed) {
			return err
		}
	}
	if err := os.Remove(l.aside.path); err != nil {
		return l.aside.unreadable(err)
	}
	return nil
}

func (a *aside) unreadable(err error) error {
	return ledger.NewError("ledger-answers", "give yourself the right to read and remove it",
		"answers that wait to be recorded in the ledger are in %s, which can't be read or removed", a.path).Because(err)
}
