package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"
)

// decodeObject does what parseObject promises, token by token.
func decodeObject(text []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errNotObject
	}

	var fields []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		f := member{name: name.(string)} // the decoder accepts only a string here
		if err := dec.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}

	if _, err := dec.Token(); err != nil { // the closing brace
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return fields, nil
}

func FuzzParseObject(f *testing.F) {
	for _, text := range []string{
		withGUID,
		"\ufeff {\"a\" : 1 ,\"b\":[ {\"c\":\"}\"} ] , \"a\":\"x\\\\\"\r\n}\t",
		`{"a":{"b":{}},"c":"\\\"","\u0061":true,"":null}`,
		`{}`, ` { } `, ``, `null`, `[{"a":1}]`, `"a"`, `{"a":1`, `{"a":1,}`, `{"a":1}{}`, `{"a" 1}`, "{\"a\":\"\xff\"}", "{\"\xff\":1}", "\u00a0{}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, wantErr := decodeObject(text)
		got, err := parseObject(text)
		same := slices.EqualFunc(got, want, func(a, b member) bool { return a.name == b.name && bytes.Equal(a.value, b.value) })
		if !same || (err == nil) != (wantErr == nil) {
			t.Errorf("%q is %q, %v; want %q, %v", text, got, err, want, wantErr)
		}
	})
}
