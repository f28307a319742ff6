// Package mark records how far a ledger has come, in folders of the machine outside the
// ledger's own folder. If a ledger is put back to an earlier state with everything in its
// folder, its mark shows that.
//
// Each user of the machine has marks of their own, because users may be unable to write
// each other's files. The marks of all users are read if their folders can be read. A
// mark is authenticated with a key of the ledger, so that only those who have the ledger
// can make one, and its file name reveals nothing.
package mark

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer/ledger"
)

// A Point says how far a ledger has come.
type Point struct {
	// Number is ledger.Ledger's Number.
	Number int64
	// Run is the id of the run that began last; empty for none.
	Run string
}

// A Keeper reads and writes the marks of one ledger on one machine. Without folders there
// are none.
type Keeper struct {
	folders []string
	key     []byte
	who     string
}

// New returns the Keeper of the ledger and the machine that the key is for. who
// is the name of the user.
func New(folders []string, key []byte, who string) *Keeper { return &Keeper{folders, key, who} }

// name returns the prefix of the file names of all users' marks.
func (k *Keeper) name() string { return "tripimport-" + k.sum("name") + "-" }

// Seen returns the points of all users' marks. It ignores marks that are damaged or can't
// be read.
func (k *Keeper) Seen() []Point {
	var seen []Point
	for _, folder := range k.folders {
		files, _ := fs.Glob(os.DirFS(folder), k.name()+"*") // the folder's name may have brackets
		for _, file := range files {
			text, _ := os.ReadFile(filepath.Join(folder, file))
			// Anything after the first line is the rest of an earlier, longer line.
			line, _, _ := strings.Cut(string(text), "\n")
			fields := strings.Fields(line)
			if len(fields) != 3 || fields[2] != k.sum(fields[0]+" "+fields[1]) {
				continue
			}
			if n, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
				seen = append(seen, Point{n, strings.TrimPrefix(fields[1], "-")})
			}
		}
	}
	return seen
}

// Write writes the user's marks. It returns an error if it can write none of them. A
// power cut may undo a write; the mark then has an earlier point.
func (k *Keeper) Write(p Point) error {
	body := fmt.Sprintf("%d -%s", p.Number, p.Run)
	line := []byte(body + " " + k.sum(body) + "\n")
	var errs []error
	for _, folder := range k.folders {
		errs = append(errs, writeAt(folder, k.name()+k.sum("user " + k.who)[:8], line))
	}
	if len(errs) > 0 && !slices.Contains(errs, nil) {
		return errors.Join(errs...)
	}
	return nil
}

// Error returns the *ledger.Error for an error of Write, or nil for nil.
func Error(err error) error {
	if err == nil {
		return nil
	}
	return ledger.NewError("ledger-mark", "name a folder of this machine in which this user may write with the setting marks",
		"the number of the ledger can't be kept outside its own folder, so an older copy of it would not be noticed").Because(err)
}

// writeAt writes a line at the beginning of a file, which other users may read. It never
// truncates the file, which would be without a mark for a moment.
func writeAt(folder, name string, line []byte) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE, 0o644) //nolint:gosec // for all users
	if err != nil {
		return err
	}
	_, err = f.WriteAt(line, 0)
	return errors.Join(err, f.Close())
}

// sum returns 64 bits of the HMAC of a text.
func (k *Keeper) sum(text string) string {
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
