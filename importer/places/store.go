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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/natefinch/atomic"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A Store keeps the positions of an office's addresses from run to run: those that
// lists brought in, and those that geocoders answered. Its file is readable by its
// user alone and has keyed hashes instead of addresses; the key is in a file of its
// own beside it. Several processes may use one file at a time. A Store is safe for
// concurrent use while none of its methods changes it.
type Store struct {
	path string
	key  []byte // nil until there is a file
	now  func() time.Time

	storeFile
	byPlace map[string][]int // indexes of Entries, by both of their hashes
}

// A storeFile is what the file has.
type storeFile struct {
	Form     string          // storeForm
	Consents map[string]bool // by the name of the geocoder
	Entries  []entry
}

// An entry is the position of one place. It has the hashes of identity.
type entry struct {
	identity
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

// read reads the file and its key.
func (s *Store) read() error {
	s.storeFile = storeFile{Form: storeForm, Consents: map[string]bool{}}
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.index()
		return nil
	}
	if err != nil {
		return s.unusable("it can't be opened", "close it in other programs, and check its permissions")
	}

	text, err := os.ReadFile(s.keyPath())
	if err != nil {
		return s.unusable("its key can't be read", "put "+s.keyPath()+" back from the backup and check its permissions, or delete "+s.path+" and add the lists again")
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != sha256.Size || json.Unmarshal(data, &s.storeFile) != nil || s.Form != storeForm {
		return s.unusable("the file or its key is damaged", "put "+s.path+" and "+s.keyPath()+" back from the backup, or delete both and add the lists again")
	}
	s.key = key
	s.index()
	return nil
}

// index makes byPlace.
func (s *Store) index() {
	s.byPlace = make(map[string][]int, 2*len(s.Entries))
	for i := range s.Entries {
		s.indexEntry(i)
	}
}

func (s *Store) indexEntry(i int) {
	for _, hash := range [...]string{s.Entries[i].Zip, s.Entries[i].City} {
		if hash != "" {
			s.byPlace[hash] = append(s.byPlace[hash], i)
		}
	}
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
	if err == nil && s.key == nil {
		err = s.makeKey()
	}
	if err != nil || !change() {
		return err
	}
	s.index()

	text, err := json.Marshal(s.storeFile)
	if err != nil {
		return err
	}
	return writePrivate(s.path, bytes.NewReader(text))
}

func (s *Store) keyPath() string { return s.path + ".key" }

// makeKey makes the key of a new store.
func (s *Store) makeKey() error {
	key := make([]byte, sha256.Size)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	s.key = key
	return writePrivate(s.keyPath(), strings.NewReader(hex.EncodeToString(key)+"\n"))
}

func (s *Store) unusable(reason, fix string) error {
	return &importer.InputError{File: filepath.Base(s.path), Reason: "the office's places: " + reason, Fix: fix}
}

// hash returns the keyed hash of texts.
func (s *Store) hash(texts ...string) string {
	h := hmac.New(sha256.New, s.key)
	for _, text := range texts {
		h.Write([]byte(text + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Files returns the files of the store.
func (s *Store) Files() []string { return []string{s.path, s.keyPath(), s.path + ".lock"} }

// An identity has the hashes of an address by which it is found. Two addresses agree if
// one of Zip and City is equal, and the other one is equal or is missing in one of them.
type identity struct {
	Zip  string // of number, street, state and ZIP code; or of the words of an address that can't be parsed
	City string // of number, street, city and state
	Unit string // of the unit; empty for the whole house
}

// isApart reports whether two entries are more than about 20 yards from each other.
func (e entry) isApart(other entry) bool {
	const near = 0.0002 // degrees
	return math.Abs(e.Latitude-other.Latitude) > near || math.Abs(e.Longitude-other.Longitude) > near
}

// position returns the coordinates of the entry.
func (e entry) position() importer.Position {
	return importer.Position{Latitude: e.Latitude, Longitude: e.Longitude, HasLatitude: true, HasLongitude: true, Source: e.Source}
}

// unit returns the hash of a unit.
func (s *Store) unit(u usps.Unit) string {
	if u == (usps.Unit{}) {
		return ""
	}
	return s.hash("unit", u.Building, u.Floor, u.Door, u.Inner)
}

// identify returns the hashes of an address. The state is the ZIP code's if the address
// has none.
func (s *Store) identify(a usps.Address) identity {
	id := identity{Unit: s.unit(a.Unit)}
	state := cmp.Or(a.State, usps.ZIPState(a.Zip))
	if a.Zip != "" {
		id.Zip = s.hash("zip", a.Number, a.Street, state, a.Zip)
	}
	if a.City != "" && state != "" {
		id.City = s.hash("city", a.Number, a.Street, a.City, state)
	}
	return id
}

// identifyWords returns the hash of an address that can't be parsed.
func (s *Store) identifyWords(p parsed) identity { return identity{Zip: s.hash("words", p.words())} }

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

// find returns the entry for the place of an address. If several fit and are apart, it
// returns all of them: a person must choose.
func (s *Store) find(p parsed) []entry {
	found := s.at(p)
	if len(found) > 1 && !slices.ContainsFunc(found[1:], found[0].isApart) {
		return found[:1]
	}
	return found
}

// at returns the entries for the place of an address that fit its unit best: those of the
// unit itself, of its door or its building, or of the whole house. For an address
// without a unit, those of all units fit if there is none of the whole house.
func (s *Store) at(p parsed) []entry {
	if len(s.Entries) == 0 {
		return nil
	}
	var found []entry
	for _, a := range p.addresses {
		found = append(found, s.agreeing(s.identify(a))...)
	}
	if found == nil {
		return s.agreeing(s.identifyWords(p))
	}

	u := p.addresses[0].Unit // it is the same in all of them
	for _, of := range []usps.Unit{u, {Building: u.Building, Door: u.Door}, {Building: u.Building}, {}} {
		unit := s.unit(of)
		if fitting := slices.DeleteFunc(slices.Clone(found), func(e entry) bool { return e.Unit != unit }); len(fitting) > 0 {
			return fitting
		}
	}
	if u != (usps.Unit{}) {
		return nil
	}
	return found
}

// agreeing returns the entries that agree with an address, units aside.
func (s *Store) agreeing(id identity) (found []entry) {
	for _, i := range s.byPlace[id.Zip] {
		if e := s.Entries[i]; e.City == "" || id.City == "" || e.City == id.City {
			found = append(found, e)
		}
	}
	for _, i := range s.byPlace[id.City] {
		if e := s.Entries[i]; e.Zip == "" || id.Zip == "" {
			found = append(found, e)
		}
	}
	return found
}

// replace adds an entry in the place of those of the same unit that agree with it.
func (s *Store) replace(fresh entry) {
	for _, old := range s.agreeing(fresh.identity) {
		if old.Unit == fresh.Unit {
			s.Entries = slices.DeleteFunc(s.Entries, func(e entry) bool { return e.identity == old.identity })
			s.index()
		}
	}
	s.Entries = append(s.Entries, fresh)
	s.indexEntry(len(s.Entries) - 1)
}
