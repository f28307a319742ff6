package sandbox

import (
	"bytes"
	"encoding/json"
	"os"
)

// readLog returns the entries of a sandbox's log. A last line without a line break is left
// out: it is still being written, or a crash cut it off.
func readLog(path string) (entries []Entry, err error) {
	text, err := os.ReadFile(path)
	for line := range bytes.Lines(text) {
		var e Entry
		if bytes.HasSuffix(line, []byte("\n")) && err == nil {
			err = json.Unmarshal(line, &e)
			entries = append(entries, e)
		}
	}
	return entries, err
}
