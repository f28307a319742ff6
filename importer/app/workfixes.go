package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer"
)

// A keptFix is a line of the file with a work's fixes: what a person made of a cell. A later line
// about a cell replaces an earlier one.
type keptFix struct {
	Sheet    string `json:",omitempty"`
	Row, Col int
	// Was is what the schedule says, and Is what it is to be; the same if the fix was taken back.
	Was, Is string
	Who     string
	At      time.Time
}

func (w *Work) fixesPath() string { return filepath.Join(w.folder, "fixes.jsonl") }

// fixes returns the cells of a work that were fixed, in the order in which they were fixed first.
func (w *Work) fixes() ([]Fix, error) {
	broken := Usage("remove the schedule, and bring it again", "what was fixed in %s can't be read", w.Name)
	file, err := os.Open(w.fixesPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, broken
	}
	defer func() { _ = file.Close() }() // it is only read

	var order []importer.Ref
	last := map[importer.Ref]keptFix{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, LargestFile)
	half := false
	for lines.Scan() {
		var k keptFix
		if half {
			return nil, broken
		}
		if half = json.Unmarshal(lines.Bytes(), &k) != nil; half {
			continue // by a crash, if it is the last one
		}
		at := w.at(k.Sheet, k.Row, k.Col)
		if _, known := last[at]; !known {
			order = append(order, at)
		}
		last[at] = k
	}
	var fixes []Fix
	for _, at := range order {
		if k := last[at]; k.Is != k.Was {
			fixes = append(fixes, Fix{At: at, Was: k.Was, Is: k.Is})
		}
	}
	if lines.Err() != nil {
		return nil, broken
	}
	return fixes, nil
}

// keepFixes adds fixes to those of the work. Once it returns nil, no crash loses them.
func (w *Work) keepFixes(fixes []Fix, who string, at time.Time) error {
	var text []byte
	for _, f := range fixes {
		line, err := json.Marshal(keptFix{f.At.Sheet, f.At.Row, f.At.Col, f.Was, f.Is, who, at})
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	out, err := os.OpenFile(w.fixesPath(), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = errors.Join(appendWhole(out, text), out.Close())
	}
	if err != nil {
		return Usage("see that there is room on the disk, and fix it again", "the fix could not be kept")
	}
	return nil
}

// appendWhole adds text after the last whole line of a file: a crash may have left half a line.
func appendWhole(out *os.File, text []byte) error {
	end := int64(0)
	reader := bufio.NewReader(out)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			break
		}
		end += int64(len(line))
	}
	_, err := out.WriteAt(text, end)
	return errors.Join(err, out.Truncate(end+int64(len(text))), out.Sync())
}
