package service

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseObject(t *testing.T) {
	for text, want := range map[string][]string{
		`{}`:    nil,
		` { } `: nil,
		" {\"a\" : 1 ,\"b\":[ {\"c\":\"}\"} ] , \"a\":\"x\\\\\"\r\n}\t": {"a", "1", "b", `[ {"c":"}"} ]`, "a", `"x\\"`},
		`{"a":{"b":{}},"c":"\\\"","\u0061":true,"":null}`:               {"a", `{"b":{}}`, "c", `"\\\""`, "a", "true", "", "null"},
	} {
		fields, err := parseObject([]byte(text))
		var got []string
		for _, f := range fields {
			got = append(got, f.field, string(f.value))
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{``, `null`, `[{"a":1}]`, `"a"`, `{"a":1`, `{"a":1,}`, `{"a":1}{}`, `{"a" 1}`, "\u00a0{}"} {
		if fields, err := parseObject([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, fields)
		}
	}
}
