package app

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer/results/atomicfile"
)

// morningName is the name of the workbook that people answer in.
const morningName = "morning.xlsx"

// movedAside returns when a list was moved aside, to the second after, which its name tells; false for any other file.
func movedAside(path string) (at time.Time, ok bool) {
	stem, ok := strings.CutSuffix(path, ".xlsx")
	if !ok {
		return at, false
	}
	name, _, ok := strings.Cut(filepath.Base(stem), ".answered") // a second one of the same second has a number
	if !ok {
		return at, false
	}
	at, err := time.Parse(runTime, strings.TrimPrefix(filepath.Ext(name), "."))
	return at.Add(time.Second), err == nil
}

// writeWorkbook writes the list to the folder. Only then does it move the older lists aside, or remove
// those in which nothing is written, so that a run that is killed loses nothing. It leaves a list that
// somebody has open, that was saved since its answers were taken, or in which cells were fixed that are
// not sent yet.
func (g *openList) writeWorkbook(folder string) error {
	path, after := filepath.Join(folder, morningName), ""
	runs, err := g.ledger.Runs(g.ctx, 1)
	if err != nil {
		return err
	}
	for i := range runs {
		after = runs[i].ID
	}
	if err := g.WriteWorkbook(path, g.ledger.Identity(), after, g.ledger.Key("results")); err != nil {
		return Usage("see that there is room and that this user may write there", "%s can't be written", path)
	}
	files, err := issuedFiles(g.ctx, g.ledger)
	if err != nil {
		return err
	}
	full, _ := filepath.Abs(folder)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		list := files[path]
		isTaken := list.List && !list.Fixed && !list.Refused && !list.Apart
		if isTaken && isListName(path) && filepath.Dir(path) == full && !isOpen(path, g.Made) {
			list.moveAside(path, g.Made)
		}
	}
	free := atomicfile.FreeName(path) // an earlier name is free if its file was moved aside
	if cmp.Or(cmp.Compare(len(free), len(g.Written)), cmp.Compare(free, g.Written)) < 0 && os.Rename(g.Written, free) == nil {
		g.Written = free
	}
	return g.share(g.Written)
}

// moveAside renames a list whose answers were taken, or removes it if nothing is written in it. A
// workbook that somebody has open, or has saved meanwhile, stays.
func (f *issuedFile) moveAside(path string, now time.Time) {
	aside := atomicfile.FreeName(strings.TrimSuffix(path, ".xlsx") + "." + now.UTC().Format(runTime) + ".answered.xlsx")
	if os.Rename(path, aside) != nil {
		return
	}
	switch info, err := os.Stat(aside); {
	case err != nil || !f.isAs(info):
		_ = os.Rename(aside, path) // it was saved: the next list reads it again
	case !f.Typed:
		_ = os.Remove(aside)
	}
}

// isOpen reports whether somebody has a workbook open, which spreadsheet programs show by a
// lock file beside it. A lock file of more than a day is ignored, because a program that
// crashed leaves its lock file for ever.
func isOpen(path string, now time.Time) bool {
	dir, name := filepath.Split(path)
	const stale = 24 * time.Hour
	return slices.ContainsFunc([]string{"~$" + name, ".~lock." + name + "#"}, func(lock string) bool {
		info, err := os.Stat(filepath.Join(dir, lock))
		return err == nil && now.Sub(info.ModTime()) < stale
	})
}

// isListName reports whether a file is called as a morning list is.
func isListName(path string) bool {
	name, base := filepath.Base(path), strings.TrimSuffix(morningName, ".xlsx")
	return strings.HasPrefix(name, base+".") || strings.HasPrefix(name, base+"-") || strings.HasPrefix(name, base+" (")
}
