package check

import "testing"

func TestIsPhone(t *testing.T) {
	for s, want := range map[string]bool{
		"3135550110":               true,
		"":                         false,
		"313555011":                false,
		"31355501101":              false,
		"1135550110":               false, // no area code begins with 1
		"3131550110":               false, // no exchange begins with 1
		"0000000000":               false,
		"call 3135550110":          false,
		"\u0663135550110 12345678": false,
	} {
		if isPhone(s) != want {
			t.Errorf("%q is a phone number: %v, want %v", s, !want, want)
		}
	}
}
