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

	"github.com/gofrs/flock"
)

// A Cache keeps what geocoders answered, from run to run, in a file of its own
// for this user alone. Addresses are in it as keyed hashes; the key stands in a
// file beside it. It is safe for concurrent use, by several runs as well.
type Cache struct {
	path string
	key  []byte

	mu       sync.Mutex
	answers  map[string]cached
	consents map[string]importer.Date
}

// A cached is an answer as it is kept.
type cached struct {
	lat, lng float64
	source   string
	quality  Quality
	date     importer.Date
}

const cacheHeader = "tripimport places cache 1"

// OpenCache opens the cache at path and makes an empty one where there is none.
// A cache at fault is an *importer.InputError.
func OpenCache(path string) (*Cache, error) {
	c := &Cache{path: path, answers: map[string]cached{}, consents: map[string]importer.Date{}}
	data, err := os.ReadFile(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return nil, c.fault("it can't be opened", "close it in other programs, and look at its permissions")
	}
	if err := c.readKey(isNew); err != nil {
		return nil, err
	}
	if isNew {
		return c, c.rewrite()
	}
	return c, c.read(data)
}

func (c *Cache) fault(reason, fix string) error {
	return &importer.InputError{File: filepath.Base(c.path), Reason: "the cache of places: " + reason, Fix: fix}
}

func (c *Cache) keyPath() string { return c.path + ".key" }

// readKey reads the key, or makes one for a new cache.
func (c *Cache) readKey(isNew bool) error {
	text, err := os.ReadFile(c.keyPath())
	if err == nil {
		if c.key, err = hex.DecodeString(strings.TrimSpace(string(text))); err == nil && len(c.key) == sha256.Size {
			return nil
		}
		return c.fault("its key is damaged", "delete "+c.path+" and "+c.keyPath()+"; addresses will be asked for again")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return c.fault("its key can't be read", "look at the permissions of "+c.keyPath())
	}
	if !isNew {
		return c.fault("its key is gone", "put "+c.keyPath()+" back, or delete the cache; addresses will then be asked for again")
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return notWritten(c.path)
	}
	c.key = make([]byte, sha256.Size)
	if _, err := rand.Read(c.key); err != nil {
		return err
	}
	return writePrivate(c.keyPath(), strings.NewReader(hex.EncodeToString(c.key)+"\n"))
}

// read takes the file's lines in. Later lines hold against earlier ones; one
// cut short by a crash is left out.
func (c *Cache) read(data []byte) error {
	header, rest, _ := strings.Cut(string(data), "\n")
	if header != cacheHeader {
		return c.fault("it is not one, or of another version", "delete "+c.path+"; addresses will be asked for again")
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

func parseCached(f []string) (cached, bool) {
	lat, errLat := strconv.ParseFloat(f[0], 64)
	lng, errLng := strconv.ParseFloat(f[1], 64)
	quality, known := qualityOf(f[3])
	date, errDate := importer.ParseDate(f[4])
	return cached{lat, lng, f[2], quality, date}, known && errors.Join(errLat, errLng, errDate) == nil
}

func (a cached) line(key string) string {
	return fmt.Sprintf("%s,%s,%s,%s,%s,%s\n", key, degrees(a.lat), degrees(a.lng), a.source, a.quality, a.date)
}

// hash is the keyed hash that stands for an address.
func (c *Cache) hash(a address) string {
	h := hmac.New(sha256.New, c.key)
	for _, s := range []string{a.number, a.street, a.city, a.state, a.zip} {
		h.Write([]byte(s + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// find gives what is kept for an address in any of its readings.
func (c *Cache) find(as []address) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range as {
		if got, ok := c.answers[c.hash(a)]; ok {
			return got, true
		}
	}
	return cached{}, false
}

// keep appends answers by their hashes.
func (c *Cache) keep(answers map[string]cached) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b bytes.Buffer
	for key, a := range answers {
		c.answers[key] = a
		b.WriteString(a.line(key))
	}
	return c.append(b.Bytes())
}

// Consented reports whether a person has agreed that addresses go to the
// geocoder.
func (c *Cache) Consented(geocoder string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.consents[geocoder]
	return ok
}

func (c *Cache) consent(geocoder string, d importer.Date) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.consents[geocoder] = d
	return c.append([]byte("consent," + geocoder + "," + d.String() + "\n"))
}

// append adds whole lines to the file. A line that a crash cut short is ended
// first.
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

// locked holds other runs off the file.
func (c *Cache) locked(f func() error) error {
	lock := flock.New(c.path + ".lock")
	if err := lock.Lock(); err != nil {
		return notWritten(c.path)
	}
	defer func() { _ = lock.Unlock() }() // closing the process unlocks as well
	return f()
}

// Len is how many addresses have an answer, a useless one included.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.answers)
}

// Forget drops the answers for an address on one line and reports how many
// there were.
func (c *Cache) Forget(addressLine string) (int, error) {
	readings := readLine(addressLine)
	return c.drop(func(key string, _ cached) bool {
		for _, a := range readings {
			if c.hash(a) == key {
				return true
			}
		}
		return false
	})
}

// Prune drops the answers older than day and reports how many there were.
func (c *Cache) Prune(day importer.Date) (int, error) {
	return c.drop(func(_ string, a cached) bool { return a.date.Compare(day) < 0 })
}

func (c *Cache) drop(these func(string, cached) bool) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for key, a := range c.answers {
		if these(key, a) {
			delete(c.answers, key)
			n++
		}
	}
	if n == 0 {
		return 0, nil
	}
	return n, c.rewrite()
}

// rewrite replaces the file whole.
func (c *Cache) rewrite() error {
	var b bytes.Buffer
	b.WriteString(cacheHeader + "\n")
	for geocoder, d := range c.consents {
		b.WriteString("consent," + geocoder + "," + d.String() + "\n")
	}
	for key, a := range c.answers {
		b.WriteString(a.line(key))
	}
	return c.locked(func() error { return writePrivate(c.path, &b) })
}
