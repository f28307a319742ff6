package service

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tripimport/importer"
)

func TestErrorText(t *testing.T) {
	for body, want := range map[string]string{
		`{"message":"pickup time is later than the appointment"}`:                                                       "pickup time is later than the appointment",
		`{"message":"the request is invalid","modelState":{"pickup.pickup_time":["it is later"]},"trip":{"rider":"x"}}`: `the request is invalid; {"pickup.pickup_time":["it is later"]}`,
		`{"Message":"a","ExceptionMessage":"b"}`:                                                                        "a",
		`{"title":"One","errors":{"zip":["bad"]}}`:                                                                      `{"zip":["bad"]}`,
		`{"message":"no","errors":[]}`:                                                                                  "no",
		`["first","second"]`:                                                                                            `["first","second"]`,
		"plain words\nover two lines":                                                                                   "plain words over two lines",
		`{"code":17}`:                                                                                                   `{"code":17}`,
		`{}`:                                                                                                            "the service gave no reason (HTTP status 400)",
		``:                                                                                                              "the service gave no reason (HTTP status 400)",
		`{"message":""}`:                                                                                                `{"message":""}`,
		`<html><body>Bad Request</body></html>`:                                                                         "a web page came back instead of the service's answer (HTTP status 400)",
	} {
		if got := sanitize(errorText(reply{status: 400, body: []byte(body)})); got != want {
			t.Errorf("%s\ngives %q\nwant  %q", body, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	token, key := importer.NewSecret(testToken), importer.NewSecret(testKey)
	for text, want := range map[string]string{
		"a\tb\r\nc\u2028d":                        "a b c d",
		"a\x00b\x1b[31mc\u202ed\u200be\u2066":     "ab[31mcde",
		"a\xffb":                                  "ab",
		"bad token " + testToken + "!":            "bad token ***!",
		"BAD TOKEN " + strings.ToUpper(testToken): "BAD TOKEN ***",
		"split tok-3f9a\u200b+/=Zz":               "split ***",
		"escaped tok-3f9a%2B%2F%3DZz":             "escaped ***",
		"escaped tok-3f9a%2b%2f%3dzz":             "escaped ***",
		`json key-81c2 \"quoted\"`:                "json ***",
		"html key-81c2 &#34;quoted&#34;":          "html ***",
		"url key-81c2+%22quoted%22":               "url ***",
		"a wrapped key-81c2\n  \"quoted\"":        "a wrapped ***",
	} {
		if got := sanitize(text, token, key, importer.Secret{}); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	if got := sanitize("bad key a  b", importer.NewSecret("a  b")); got != "bad key ***" {
		t.Errorf("a key with two spaces gives %q", got)
	}
	long := sanitize(strings.Repeat("é", 600))
	if n := len([]rune(long)); n != maxMessage || !strings.HasSuffix(long, "…") {
		t.Errorf("a long text has %d characters and ends in %q", n, long[len(long)-5:])
	}
	if at := sanitize(strings.Repeat("x", 495)+testToken, token); strings.Contains(at, "tok-") {
		t.Errorf("a cut secret shows: %q", at)
	}
}

func TestCleanNeverShowsASecret(t *testing.T) {
	secret := rapid.StringMatching(`[A-Za-z0-9+/=._-]{8,40}`)
	rapid.Check(t, func(r *rapid.T) {
		token := secret.Draw(r, "token")
		text := rapid.String().Draw(r, "before") + token + rapid.String().Draw(r, "after")
		got := sanitize(text, importer.NewSecret(token))
		if strings.Contains(strings.ToLower(got), strings.ToLower(token)) {
			r.Fatalf("%q shows the token", got)
		}
		if strings.ContainsFunc(got, func(c rune) bool { return !unicode.IsGraphic(c) }) || len([]rune(got)) > maxMessage {
			r.Fatalf("%q is not clean", got)
		}
	})
}

// A service that repeats the whole request in its refusal reveals no secret.
func TestEchoedSecretsAreMasked(t *testing.T) {
	for _, status := range []int{400, 401, 409, 500} {
		url, _ := serve(t, answers(status, jsonType, `{"message":"no: bearer `+testToken+`, key-81c2 \"quoted\""}`))
		a := insert(t, clientOf(t, url, nil), goodTrip())
		if a.Message != "no: bearer ***, ***" {
			t.Errorf("%d: %q", status, a.Message)
		}
	}
}
