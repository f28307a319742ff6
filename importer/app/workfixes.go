package app

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"tripimport/importer"
)

// fixes returns the cells of a work that were fixed, in the order in which they were fixed first.
func (w *Work) fixes() ([]Fix, error) {
	fixes, err := ReadJSON[[]Fix](w.fixesPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Usage("remove the schedule, and bring it again", "what was fixed in %s can't be read", w.Name)
	}
	return fixes, nil
}

func (w *Work) fixesPath() string { return filepath.Join(w.folder, "fixes.json") }

// keepFixes adds fixes to those of the work: one replaces an earlier one of the same cell, and one with the
// schedule's own content takes it back. Once it returns nil, no crash loses them.
func (w *Work) keepFixes(fixes []Fix) error {
	kept, err := w.fixes()
	if err != nil {
		return err
	}
	known := map[importer.Ref]int{}
	for i := range kept {
		known[kept[i].At] = i
	}
	for _, f := range fixes {
		if i, again := known[f.At]; again {
			kept[i] = f
		} else {
			kept = append(kept, f)
		}
	}
	kept = slices.DeleteFunc(kept, func(f Fix) bool { return f.Is == f.Was })
	if err := WriteJSON(w.fixesPath(), kept); err != nil {
		return Usage("see that there is room on the disk, and fix it again", "the fix could not be kept")
	}
	return nil
}
