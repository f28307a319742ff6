package sqlite

import (
	"encoding/hex"
	"strings"
)

// guidKey gives the form in which GUIDs are compared: letters' case, braces and
// spaces around it disregarded, and the hyphens of one that has the 32 digits
// of a GUID. It is empty for no GUID.
func guidKey(guid string) string {
	key := strings.ToLower(strings.Trim(guid, "{} \t\r\n"))
	digits := strings.ReplaceAll(key, "-", "")
	if _, err := hex.DecodeString(digits); err == nil && len(digits) == 32 {
		return digits
	}
	return key
}
