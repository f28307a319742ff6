// Package mark keeps how far a ledger has come, apart from the ledger: in folders
// of the machine that are not the ledger's own. A ledger that was put back to an
// earlier state, with everything in its folder, is noticed by its mark.
//
// Each user of the machine has marks of their own, since users may be unable to
// write each other's files. The marks of all users are read, as far as their
// folders can be. A mark is authenticated with a key of the ledger, so that only
// those who have the ledger can make one, and its name tells nothing.
package mark

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Point is how far a ledger has come.
type Point struct {
	// Number is ledger.Ledger's Number.
	Number int64
	// Run is the id of the run that was begun last; empty for none.
	Run string
}

// A Keeper keeps the marks of one ledger on one machine. Without folders it keeps
// none. It is not safe for concurrent use.
type Keeper struct {
	folders   []string
	key       []byte
	name, own string // the begin of all users' names, and this user's name
	files     []*os.File
}

// New returns the Keeper of the ledger and the machine that the key is for. who
// is the name of the user.
func New(folders []string, key []byte, who string) *Keeper {
	k := &Keeper{folders: folders, key: key}
	k.name = "tripimport-" + k.sum("name") + "-"
	k.own = k.name + k.sum("user " + who)[:8]
	return k
}

// Seen returns the farthest point that any user's mark names; the zero Point for
// none. A mark that is damaged or can't be read counts for nothing.
func (k *Keeper) Seen() Point {
	var seen Point
	for _, folder := range k.folders {
		files, _ := filepath.Glob(filepath.Join(folder, k.name+"*")) // fails for a bad pattern alone
		for _, file := range files {
			text, err := os.ReadFile(file)
			if p, ok := k.parse(text); err == nil && ok && p.Number > seen.Number {
				seen = p
			}
		}
	}
	return seen
}

// Write writes the user's marks. It fails where none can be written. What it has
// written may be lost in a power cut; the mark then names an earlier point.
func (k *Keeper) Write(p Point) error {
	var errs []error
	if k.files == nil {
		for _, folder := range k.folders {
			file, err := openMark(folder, k.own)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			k.files = append(k.files, file)
		}
	}

	body := fmt.Sprintf("%d %s", p.Number, cmp.Or(p.Run, "-"))
	for _, file := range k.files {
		if _, err := file.WriteAt([]byte(body+" "+k.sum(body)+"\n"), 0); err != nil {
			errs = append(errs, err)
		}
	}

	if len(errs) == len(k.folders) {
		return errors.Join(errs...)
	}
	return nil
}

func openMark(folder, name string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(folder, name), os.O_RDWR|os.O_CREATE, 0o644) //nolint:gosec // other users read it
}

// Close closes the marks.
func (k *Keeper) Close() error {
	var errs []error
	for _, file := range k.files {
		errs = append(errs, file.Sync(), file.Close())
	}
	k.files = nil
	return errors.Join(errs...)
}

// parse reads the first line of a mark. What stands below it is left from a
// longer line.
func (k *Keeper) parse(text []byte) (Point, bool) {
	line, _, _ := strings.Cut(string(text), "\n")
	at := strings.LastIndexByte(line, ' ')
	if at < 0 || line[at+1:] != k.sum(line[:at]) {
		return Point{}, false
	}

	var p Point
	if _, err := fmt.Sscanf(line[:at], "%d %s", &p.Number, &p.Run); err != nil {
		return Point{}, false
	}
	if p.Run == "-" {
		p.Run = ""
	}
	return p, true
}

// sum returns 64 bits of the HMAC of a text.
func (k *Keeper) sum(text string) string {
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
