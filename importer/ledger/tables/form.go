package tables

import (
	"encoding"
	"encoding/json"
	"slices"
	"time"

	"tripimport/importer/ledger/keyed"
)

// instantForm has a fixed width, so that texts sort as the instants do.
const instantForm = "2006-01-02T15:04:05.000000Z"

// instant formats an instant of the program, such as the time of a claim, in UTC to the
// microsecond. The zero instant is an empty text. Times of the schedule have no zone and are
// never stored in this form.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantForm)
}

func parseInstant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(instantForm, s)
}

// marshal returns a value as JSON. The values are the package's own, which always can be.
func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A column scans a text or bytes and parses them. NULL is parsed as the empty text.
type column func(text string) error

// Scan implements sql.Scanner.
func (c column) Scan(value any) error {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	}
	return c(text)
}

// textColumn scans what a noun's MarshalText writes.
func textColumn(to encoding.TextUnmarshaler) column {
	return func(text string) error { return to.UnmarshalText([]byte(text)) }
}

func instantColumn(to *time.Time) column {
	return func(text string) (err error) {
		*to, err = parseInstant(text)
		return err
	}
}

// jsonColumn scans JSON; an empty text leaves the zero value.
func jsonColumn(to any) column {
	return func(text string) error {
		if text == "" {
			return nil
		}
		return json.Unmarshal([]byte(text), to)
	}
}

// sealedColumn scans an encrypted text, which another column parses.
func sealedColumn(h *keyed.Hashes, parse column) column {
	return func(sealed string) error {
		text, err := h.Decrypt([]byte(sealed))
		if err != nil {
			return err
		}
		return parse(text)
	}
}

// list returns a JSON list, without empty texts and zeros.
func list[T comparable](all []T) string {
	var zero T
	all = slices.DeleteFunc(append([]T{}, all...), func(v T) bool { return v == zero })
	text, _ := json.Marshal(all) // texts, numbers and dates always can be
	return string(text)
}
