package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
)

// An aside keeps answers that could not be recorded in the ledger, each in a file of its
// own for this user alone. A file has only what the ledger would have in clear: the
// number of the attempt, what came of it, and the GUID.
type aside struct{ folder, prefix string }

// A keptAnswer is the answer to an attempt or to a change.
type keptAnswer struct {
	Attempt    int64               `json:"attempt,omitempty"`
	Change     int64               `json:"change,omitempty"`
	Settlement importer.Settlement `json:"settlement"`
}

func newAside(folder, identity string) *aside {
	return &aside{folder, identity + ".answer-"}
}

// keep returns err, unless err says that the ledger can't be written. It then keeps the
// answer on this machine, and returns nil when that is durable.
func (l *Ledger) keep(err error, a keptAnswer) error {
	var failed *ledger.Error
	if !errors.As(err, &failed) || l.aside == nil || failed.Code == ledger.RunEndedError().Code {
		return err
	}
	if kept := l.aside.add(a); kept != nil {
		return failed.Because(errors.Join(err, kept)) // the trip will be shown as possibly booked
	}
	return nil // the answer is durable here, and after a failure nothing else is claimed
}

// add adds an answer, which is durable when add returns nil.
func (a *aside) add(answer keptAnswer) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	name := a.prefix + uuid.NewString()
	unfinished := filepath.Join(a.folder, "unfinished-"+name)
	if err := keyfile.WriteNew(unfinished, text); err != nil {
		return err
	}
	return errors.Join(os.Rename(unfinished, filepath.Join(a.folder, name)), keyfile.SyncFolder(a.folder))
}

// enterAside records the answers that were kept aside, and removes their files. It does
// not record an answer about an attempt that a person has answered since. Other processes
// may do the same at this moment.
func (l *Ledger) enterAside(ctx context.Context) error {
	files, err := os.ReadDir(l.aside.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if err == nil && strings.HasPrefix(file.Name(), l.aside.prefix) {
			err = l.enterAnswer(ctx, filepath.Join(l.aside.folder, file.Name()))
		}
	}
	var failed *ledger.Error
	if err == nil || errors.As(err, &failed) {
		return err
	}
	return ledger.NewError("ledger-answers", "give yourself the right to read and remove them",
		"answers that wait to be recorded in the ledger are in %s, whose files %s… can't be read or removed", l.aside.folder, l.aside.prefix).Because(err)
}

// enterAnswer records the answer in a file, and removes the file.
func (l *Ledger) enterAnswer(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process was faster
	}
	var a keptAnswer
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return err
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
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
