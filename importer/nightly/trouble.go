package nightly

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer/app"
)

// A troubleFile is a file that records since when the ledger can't be used, and whether somebody
// was told.
type troubleFile struct{ path string }

type troubleRecord struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
	Told   bool      `json:"told"`
}

func troublePath(a *app.App) string { return filepath.Join(a.Folders.Data, "nightly-trouble.json") }

// read returns since when there is trouble, and whether somebody was told of that reason. The
// time is zero if there is no trouble.
func (t troubleFile) read(reason string) (since time.Time, told bool) {
	r, err := app.ReadJSON[troubleRecord](t.path)
	if err != nil {
		return time.Time{}, false
	}
	return r.Since, r.Told && r.Reason == reason
}

func (t troubleFile) write(reason string, since time.Time, told bool) error {
	return app.WriteJSON(t.path, troubleRecord{reason, since, told})
}

func (t troubleFile) clear() error {
	if err := os.Remove(t.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return app.Usage("see that this user may write there", "the file %s can't be removed", t.path)
	}
	return nil
}
