package app

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
)

// A keptFix is what a person once made of a cell of a work. A later one about the same cell replaces an
// earlier one; Was and Is are the same if the fix was taken back.
type keptFix struct {
	Fix
	Who  string
	When time.Time
}

// keptFixes returns what people made of cells of a work, in order.
func (w *Work) keptFixes() ([]keptFix, error) {
	kept, err := ReadJSON[[]keptFix](w.fixesPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Usage("remove the schedule, and bring it again", "what was fixed in %s can't be read", w.Name)
	}
	return kept, nil
}

func (w *Work) fixesPath() string { return filepath.Join(w.folder, "fixes.json") }

// fixes returns the cells of a work that were fixed, in the order in which they were fixed first.
func (w *Work) fixes() (fixes []Fix, err error) {
	kept, err := w.keptFixes()
	known := map[importer.Ref]int{}
	for _, k := range kept {
		i, again := known[k.At]
		if !again {
			i, fixes = len(fixes), append(fixes, Fix{})
			known[k.At] = i
		}
		fixes[i] = k.Fix
	}
	return slices.DeleteFunc(fixes, func(f Fix) bool { return f.Is == f.Was }), err
}

// keepFixes adds fixes to those of the work. Once it returns nil, no crash loses them.
func (w *Work) keepFixes(fixes []Fix, who string, at time.Time) error {
	kept, err := w.keptFixes()
	if err != nil {
		return err
	}
	for _, f := range fixes {
		kept = append(kept, keptFix{f, who, at})
	}
	if err := WriteJSON(w.fixesPath(), kept); err != nil {
		return Usage("see that there is room on the disk, and fix it again", "the fix could not be kept")
	}
	return nil
}
