package places

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/usps"

	"github.com/gofrs/flock"
)

// A Cache keeps the answers of geocoders, and the consents to ask them, from run
// to run. Its file is readable by its user alone. It has addresses as keyed
// hashes; the key is in a file of its own beside it. A Cache is safe for
// concurrent use, and several runs may use one file at a time.
type Cache struct {
	path string
	key  []byte

	mu       sync.Mutex
	answers  map[string]cachedAnswer  // by the address's hash
	consents map[string]importer.Date // by the geocoder's name
}

// A cachedAnswer is the best match of an answer, in degrees.
type cachedAnswer struct {
	lat, lng float64
	source   string
	quality  Quality
	date     importer.Date
}

const cacheHeader = "tripimport places cache 1"

// OpenCache opens the cache at path. It creates an empty one, with its folder, if
// there is none. The error for a cache that can't be used is an
// *importer.InputError.
func OpenCache(path string) (*Cache, error) {
	c := &Cache{path: path, answers: map[string]cachedAnswer{}, consents: map[string]importer.Date{}}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, notWritten(path)
	}
	if err := c.locked(c.open); err != nil {
		return nil, err
	}
	return c, nil
}

// open reads the file and its key, or creates both.
func (c *Cache) open() error {
	data, err := os.ReadFile(c.path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return c.inputError("it can't be opened", "close it in other programs, and check its permissions")
	}
	if err := c.readKey(isNew); err != nil {
		return err
	}
	if isNew {
		return c.write()
	}
	return c.read(data)
}

func (c *Cache) inputError(reason, fix string) error {
	return &importer.InputError{File: filepath.Base(c.path), Reason: "the cache of places: " + reason, Fix: fix}
}

func (c *Cache) keyPath() string { return c.path + ".key" }

// readKey reads the key, or creates one for a new cache.
func (c *Cache) readKey(isNew bool) error {
	text, err := os.ReadFile(c.keyPath())
	if err == nil {
		if c.key, err = hex.DecodeString(strings.TrimSpace(string(text))); err == nil && len(c.key) == sha256.Size {
			return nil
		}
		return c.inputError("its key is damaged", "delete "+c.path+" and "+c.keyPath()+"; the geocoder will be asked again")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return c.inputError("its key can't be read", "check the permissions of "+c.keyPath())
	}
	if !isNew {
		return c.inputError("its key is missing", "put "+c.keyPath()+" back, or delete "+c.path+"; the geocoder will then be asked again")
	}
	c.key = make([]byte, sha256.Size)
	if _, err := rand.Read(c.key); err != nil {
		return err
	}
	return writePrivate(c.keyPath(), strings.NewReader(hex.EncodeToString(c.key)+"\n"))
}

// read reads the lines of the file. A later line replaces an earlier one for the
// same address. A line that a crash has cut short is ignored.
func (c *Cache) read(data []byte) error {
	header, rest, _ := strings.Cut(string(data), "\n")
	if header != cacheHeader {
		return c.inputError("the file is something else, or of another version", "delete "+c.path+"; the geocoder will be asked again")
	}
	for line := range strings.SplitSeq(rest, "\n") {
		f := strings.Split(line, ",")
		switch {
		case len(f) == 3 && f[0] == "consent":
			if d, err := importer.ParseDate(f[2]); err == nil {
				c.consents[f[1]] = d
			}
		case len(f) == 6:
			if a, ok := parseCached(f[1:]); ok {
				c.answers[f[0]] = a
			}
		}
	}
	return nil
}

// parseCached parses the fields of a line after its hash.
func parseCached(f []string) (cachedAnswer, bool) {
	lat, errLat := strconv.ParseFloat(f[0], 64)
	lng, errLng := strconv.ParseFloat(f[1], 64)
	quality, known := qualityOf(f[3])
	date, errDate := importer.ParseDate(f[4])
	return cachedAnswer{lat, lng, f[2], quality, date}, known && errors.Join(errLat, errLng, errDate) == nil
}

// line returns the line of the file for an answer.
func (a cachedAnswer) line(key string) string {
	return fmt.Sprintf("%s,%s,%s,%s,%s,%s\n", key, formatDegrees(a.lat), formatDegrees(a.lng), a.source, a.quality, a.date)
}

// hash returns the keyed hash of an address without its unit.
func (c *Cache) hash(a usps.Address) string {
	h := hmac.New(sha256.New, c.key)
	for _, s := range []string{a.Number, a.Street, a.City, a.State, a.Zip} {
		h.Write([]byte(s + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// find returns the answer for the first of the addresses that has one.
func (c *Cache) find(addresses []usps.Address) (cachedAnswer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range addresses {
		if got, ok := c.answers[c.hash(a)]; ok {
			return got, true
		}
	}
	return cachedAnswer{}, false
}

// add appends answers, which are by hash, to the file.
func (c *Cache) add(answers map[string]cachedAnswer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b bytes.Buffer
	for key, a := range answers {
		c.answers[key] = a
		b.WriteString(a.line(key))
	}
	return c.append(b.Bytes())
}

// Consented reports whether a person has agreed to send addresses to a geocoder.
func (c *Cache) Consented(geocoder string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.consents[geocoder]
	return ok
}

// consent records that a person has agreed to send addresses to a geocoder.
func (c *Cache) consent(geocoder string, d importer.Date) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.consents[geocoder] = d
	return c.append([]byte("consent," + geocoder + "," + d.String() + "\n"))
}

// append appends whole lines to the file. If a crash has cut the last line short,
// it ends that line first.
func (c *Cache) append(lines []byte) error {
	return c.locked(func() error {
		f, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return notWritten(c.path)
		}
		err = appendLines(f, lines)
		if errors.Join(err, f.Close()) != nil {
			return notWritten(c.path)
		}
		return nil
	})
}

func appendLines(f *os.File, lines []byte) error {
	end, err := f.Seek(0, 2)
	if err != nil {
		return err
	}
	last := []byte{'\n'}
	if end > 0 {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' {
		lines = append([]byte{'\n'}, lines...)
	}
	_, err = f.WriteAt(lines, end)
	return err
}

// locked calls f while no other run writes to the file.
func (c *Cache) locked(f func() error) error {
	lock := flock.New(c.path + ".lock")
	if err := lock.Lock(); err != nil {
		return notWritten(c.path)
	}
	defer func() { _ = lock.Unlock() }() // the end of the process unlocks it as well
	return f()
}

// Forget removes the answers for an address on one line. It returns how many
// there were.
func (c *Cache) Forget(addressLine string) (int, error) {
	hashes := map[string]bool{}
	for _, a := range usps.ParseLine(addressLine) {
		hashes[c.hash(a)] = true
	}
	return c.remove(func(hash string, _ cachedAnswer) bool { return hashes[hash] })
}

// Prune removes the answers from before a day. It returns how many there were.
func (c *Cache) Prune(day importer.Date) (int, error) {
	return c.remove(func(_ string, a cachedAnswer) bool { return a.date.Compare(day) < 0 })
}

// remove removes the answers for which match returns true, including those that
// other runs have added.
func (c *Cache) remove(match func(hash string, a cachedAnswer) bool) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	n := 0
	err := c.locked(func() error {
		clear(c.answers)
		clear(c.consents)
		if err := c.open(); err != nil {
			return err
		}
		for hash, a := range c.answers {
			if match(hash, a) {
				delete(c.answers, hash)
				n++
			}
		}
		if n == 0 {
			return nil
		}
		return c.write()
	})
	return n, err
}

// write replaces the whole file. The file must be locked.
func (c *Cache) write() error {
	var b bytes.Buffer
	b.WriteString(cacheHeader + "\n")
	for geocoder, d := range c.consents {
		b.WriteString("consent," + geocoder + "," + d.String() + "\n")
	}
	for hash, a := range c.answers {
		b.WriteString(a.line(hash))
	}
	return writePrivate(c.path, &b)
}
