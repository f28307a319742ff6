package check

import "testing"

func TestIsPhone(t *testing.T) {
	for s, want := range map[string]bool{
		"3135550110":               true,
		"313-555-0110":             true,
		"(313) 555.0110":           true,
		"313/555-0110":             true,
		"13135550110":              true,
		"+1 313 555 0110":          true,
		"313-555-0110 x12":         true,
		"313-555-0110X12":          true,
		"313-555-0110 ext. 12":     true,
		"313-555-0110 ext":         true,
		"":                         false,
		"313-555-011":              false,
		"313-555-01101":            false,
		"23135550110":              false, // eleven digits that do not begin with 1
		"131355501101":             false,
		"113-555-0110":             false, // no area code begins with 1
		"313-155-0110":             false, // no exchange begins with 1
		"0000000000":               false,
		"313+555-0110":             false,
		"313-555-0110 e12":         false,
		"313-555-0110 eX12":        false,
		"313-555-0110 EXT 12":      false,
		"555-0110 x313":            false,
		"call 313-555-0110":        false,
		"x":                        false,
		"313-555-0110, 555-0111":   false,
		"\u0663135550110 12345678": false,
	} {
		if isPhone(s) != want {
			t.Errorf("%q is a phone number: %v, want %v", s, !want, want)
		}
	}
}
