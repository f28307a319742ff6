package places

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A Store keeps the positions of an office's addresses from run to run: those that
// lists brought in, and those that geocoders answered. Its file is readable by its
// user alone and has keyed hashes instead of addresses. Several processes may use one file
// at a time. A Store is safe for
// concurrent use while none of its methods changes it.
type Store struct {
	path string
	now  func() time.Time

	storeFile
}

// A storeFile is what the file has.
type storeFile struct {
	Form     string           // storeForm
	Key      []byte           // of the hashes; nil until there is a file
	Consents map[string]bool  // by the name of the geocoder
	Entries  map[string]entry // by keyOf
}

// An entry is the position of one place.
type entry struct {
	Latitude, Longitude float64
	Source              string // fromList, or the geocoder's name
	Used                importer.Date
}

// fromList is the source of positions that a list brought in.
const fromList = "places list"

const storeForm = "tripimport places 1"

// Open opens the store at path. If there is no file yet, the store is empty, and the
// file is made when something is kept. The error for a file that can't be used is an
// *importer.InputError.
func Open(path string) (*Store, error) {
	s := &Store{path: path, now: time.Now}
	return s, s.read()
}

// read reads the file.
func (s *Store) read() error {
	s.storeFile = storeFile{Form: storeForm, Consents: map[string]bool{}, Entries: map[string]entry{}}
	data, err := os.ReadFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return s.unusable("it can't be opened", "close it in other programs, and check its permissions")
	case json.Unmarshal(data, &s.storeFile) != nil || s.Form != storeForm || len(s.Key) != sha256.Size:
		return s.unusable("the file is damaged", "put "+s.path+" back from the backup, or delete it and add the lists again")
	}
	return nil
}

// update lets change the entries and consents, and writes them if it reports that it
// did. No other process changes the file meanwhile, and what others changed before is
// there.
func (s *Store) update(change func() bool) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return notWritten(s.path)
	}
	lock := flock.New(s.path + ".lock")
	if err := lock.Lock(); err != nil {
		return notWritten(s.path)
	}
	defer func() { _ = lock.Unlock() }() // the end of the process unlocks it as well

	err := s.read()
	if err == nil && s.Key == nil {
		s.Key = make([]byte, sha256.Size)
		_, _ = rand.Read(s.Key) // never fails: crypto/rand ends the program instead
	}
	if err != nil || !change() {
		return err
	}

	text, err := json.Marshal(s.storeFile)
	if err != nil {
		return err
	}
	return writePrivate(s.path, bytes.NewReader(text))
}

func (s *Store) unusable(reason, fix string) error {
	return &importer.InputError{File: filepath.Base(s.path), Reason: "the office's places: " + reason, Fix: fix}
}

// hash returns the keyed hash of texts.
func (s *Store) hash(texts ...string) string {
	h := hmac.New(sha256.New, s.Key)
	for _, text := range texts {
		h.Write([]byte(text + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Files returns the files of the store.
func (s *Store) Files() []string { return []string{s.path, s.path + ".lock"} }

// isApart reports whether two entries are more than about 20 yards from each other.
func (e entry) isApart(other entry) bool {
	const near = 0.0002 // degrees
	return math.Abs(e.Latitude-other.Latitude) > near || math.Abs(e.Longitude-other.Longitude) > near
}

// position returns the coordinates of the entry.
func (e entry) position() importer.Position {
	return importer.Position{Latitude: e.Latitude, Longitude: e.Longitude, HasLatitude: true, HasLongitude: true, Source: e.Source}
}

// houseLen is the length of the key of a whole house.
const houseLen = 32

// keyOf returns the key of an address: that of its house, and behind it the hash of its unit if it
// has one. The state is the ZIP code's if the address has none. An address that can't be parsed has
// the key of its words.
func (s *Store) keyOf(p parsed) string {
	if !p.ok {
		return s.hash("words", p.words())
	}
	a, u := p.address, p.address.Unit
	house := s.hash("house", a.Number, a.Street, a.City, cmp.Or(a.State, usps.ZIPState(a.Zip)), a.Zip)
	if u == (usps.Unit{}) {
		return house
	}
	return house + s.hash("unit", u.Building, u.Floor, u.Door, u.Inner)
}

// find returns the key of the entry for an address: that of its unit, or else of the whole house.
func (s *Store) find(p parsed) (key string, found bool) {
	key = s.keyOf(p)
	if _, found = s.Entries[key]; !found {
		key = key[:houseLen]
		_, found = s.Entries[key]
	}
	return key, found
}

// degrees returns the coordinates of the entry as a text.
func (e entry) degrees() string { return formatDegrees(e.Latitude) + ", " + formatDegrees(e.Longitude) }

func formatDegrees(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// writePrivate writes or replaces a file that is readable by this user alone, or also
// by the group that the file was given to. At no moment can others read the file or the
// temporary file beside it. On a failure the temporary file is removed.
func writePrivate(path string, r io.Reader) error {
	// The temporary file gets the mode of the file that it replaces.
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o007 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return notWritten(path)
		}
	}
	if err := atomic.WriteFile(path, r); err != nil {
		return notWritten(path)
	}
	return nil
}

// notWritten is the error for a file that can't be written.
func notWritten(path string) error {
	return &importer.InputError{
		File: path, Reason: "the file can't be written", Fix: "close it in other programs, and check the folder's permissions",
	}
}
