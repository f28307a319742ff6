package service

import (
	"strings"
	"testing"
)

func TestCanonicalAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://service.example.com":            "https://service.example.com",
		" HTTPS://Service.Example.COM/ ":         "https://service.example.com",
		"https://service.example.com:443/":       "https://service.example.com",
		"http://127.0.0.1:80/x":                  "http://127.0.0.1/x",
		"https://service.example.com:8443/Api//": "https://service.example.com:8443/Api",
		"http://127.0.0.1:8080":                  "http://127.0.0.1:8080",
		"http://localhost":                       "http://localhost",
		"http://[::1]:8080/":                     "http://[::1]:8080",
	} {
		got, err := CanonicalAddress(in)
		if err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", in, got, err, want)
		}
		if again, err := CanonicalAddress(got); err != nil || again != got {
			t.Errorf("%q is not stable: %q, %v", got, again, err)
		}
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	for in, says := range map[string]string{
		"":                                       "should look like",
		"service.example.com":                    "should look like",
		"ftp://service.example.com":              "must begin with https://",
		"mailto:someone@example.com":             "should look like",
		"http://service.example.com":             "in the clear",
		"http://10.0.0.7":                        "in the clear",
		"http://127.0.0.1.example.com":           "in the clear",
		"http://localhost.example.com":           "in the clear",
		"https://":                               "should look like",
		"https://exa mple.com":                   "should look like",
		"https://u:hunter2@service.example.com":  "user name, a password",
		"https://service.example.com/?k=hunter2": "question mark",
		"https://service.example.com/?":          "question mark",
		"https://service.example.com/#hunter2":   "question mark",
		"https://service.example.com:x":          "should look like",
	} {
		got, err := CanonicalAddress(in)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %q, %v; want %q", in, got, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error shows a secret: %v", in, err)
		}
	}
}
