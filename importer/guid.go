package importer

import (
	"strings"

	"github.com/google/uuid"
)

// ParseGUID reads a GUID: 32 hexadecimal digits in either case, with the four usual
// hyphens or none, with or without braces. It returns the GUID in lower case, with
// hyphens and without braces. It reports false for any other text, also for a GUID with
// spaces around it, and for the GUIDs that consist of zeros or of f's alone, because
// services use them for "no GUID".
func ParseGUID(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		if text, ok = strings.CutSuffix(inner, "}"); !ok {
			return "", false
		}
	}

	if len(text) != len("3f2504e0-4f89-11d3-9a0c-0305e82c3301") && len(text) != 32 {
		return "", false
	}
	id, err := uuid.Parse(text)
	if err != nil || id == uuid.Nil || id == uuid.Max {
		return "", false
	}
	return id.String(), true
}

// RehearsedGUID begins each GUID that a rehearsal gives a trip. Nothing is booked in the service under one.
const RehearsedGUID = "00000000-"

// GUIDKey returns the form in which two texts that were given as GUIDs are compared: the
// 32 digits of a GUID in lower case, wherever its hyphens stand, or any other text in
// lower case and without braces and spaces around it. It is empty for an empty text.
// Ledgers store the form, so it never changes.
func GUIDKey(text string) string {
	text = strings.ToLower(strings.Trim(text, "{} \t\r\n"))
	if digits := strings.ReplaceAll(text, "-", ""); len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == "" {
		return digits
	}
	return text
}

// SameGUID reports whether two texts that were given as GUIDs are the same GUID.
// It reports false if one of them is empty.
func SameGUID(a, b string) bool {
	key := GUIDKey(a)
	return key != "" && key == GUIDKey(b)
}
