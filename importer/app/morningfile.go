package app

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/atomicfile"
	"tripimport/importer/returned"
)

// morningName is the name of the workbook that people answer in.
const morningName = "morning.xlsx"

// A morningFile is a morning workbook as it was read from the folder.
type morningFile struct {
	path    string
	text    []byte
	answers []returned.Answer
	// wrong says why its answers can't be taken; nil if they can.
	wrong error
}

// readMorningFiles reads the ledger's morning workbooks in the folder: morning.xlsx, and those
// that were written beside it while somebody had it open. One that was saved in another form
// can't be read.
func (g *openList) readMorningFiles(folder string) ([]morningFile, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, Usage("name a folder that this user may read", "the folder %s can't be read", folder)
	}
	names := regexp.MustCompile(`^morning(-\d+)?\.(xlsx|ods|xls)$`)
	var files []morningFile
	for _, entry := range entries {
		if names.MatchString(entry.Name()) && entry.Type().IsRegular() {
			f, err := g.readMorningFile(filepath.Join(folder, entry.Name()))
			if errors.Is(err, returned.ErrNoMorning) {
				continue // it is not a workbook of this ledger
			}
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

func (g *openList) readMorningFile(path string) (f morningFile, err error) {
	if f.text, err = os.ReadFile(path); err != nil {
		return f, Usage("see that this user may read it", "%s can't be read", path)
	}
	f.path = path
	info, err := os.Stat(path)
	if err != nil {
		return f, Usage("see that this user may read it", "%s can't be read", path)
	}
	f.answers, f.wrong = returned.ReadMorning(path, g.ledger.Identity(), g.ledger.Key("results"))
	for i := range f.answers {
		f.answers[i].Saved = info.ModTime()
	}
	if errors.Is(f.wrong, returned.ErrNoMorning) {
		return f, f.wrong
	}
	return f, nil
}

// writeWorkbook writes the list to the folder, with the answers that were not taken yet. Only
// then does it move the older workbooks aside, or remove those without answers, so that a
// run that is killed loses no answer. It leaves a workbook that somebody has open, or whose
// answers can't be taken.
func (g *openList) writeWorkbook(folder string) error {
	files, err := g.readMorningFiles(folder)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f morningFile) bool { return f.wrong != nil || isOpen(f.path, g.Made) })
	for i := range files {
		g.keepAnswers(files[i].answers)
	}

	path := filepath.Join(folder, morningName)
	if err := g.WriteWorkbook(path, g.ledger.Identity(), g.ledger.Key("results")); err != nil {
		return Usage("see that there is room and that this user may write there", "%s can't be written", path)
	}
	for i := range files {
		files[i].moveAside(g.Made)
	}
	free := atomicfile.FreeName(path) // an earlier name is free if its file was moved aside
	if cmp.Or(cmp.Compare(len(free), len(g.Written)), cmp.Compare(free, g.Written)) < 0 && os.Rename(g.Written, free) == nil {
		g.Written = free
	}
	return g.share(g.Written)
}

// moveAside renames a workbook whose answers are in the new one, or removes it if it has no
// answers. A workbook that somebody has open, or has changed meanwhile, stays.
func (f *morningFile) moveAside(now time.Time) {
	aside := atomicfile.FreeName(strings.TrimSuffix(f.path, ".xlsx") + now.UTC().Format(".20060102T150405Z") + ".answered.xlsx")
	if os.Rename(f.path, aside) != nil {
		return
	}
	switch text, err := os.ReadFile(aside); {
	case err != nil || !bytes.Equal(text, f.text):
		_ = os.Rename(aside, f.path) // it was changed: the next list reads it again
	case len(f.answers) == 0:
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

// keepAnswers puts answers that were not taken yet beside their trips in the new list. One that
// was given about an earlier state is only named: in the new list it would count.
func (g *openList) keepAnswers(answers []returned.Answer) {
	for i := range answers {
		a := &answers[i]
		item := g.itemOf(a)
		switch {
		case item == nil:
			continue
		case a.Shown.Saw < item.Outcome.Saw:
			item.Note = "`" + a.Text + "` was written in an older list: look again"
		case item.Found != "" && item.Found != a.Text:
			item.Found, item.Note = item.Found+"; "+a.Text, "two answers were given"
		case unfit(a, &item.Outcome):
			item.Found, item.Note = a.Text, unclearAnswer(&item.Outcome)
		default:
			item.Found = a.Text
		}
		item.By = a.Who
	}
}

// unfit reports whether an answer does not fit a trip with that outcome.
func unfit(a *returned.Answer, o *importer.Outcome) bool {
	_, fits := a.Verdict.RuleOf(o)
	return !fits || a.Verdict == importer.RiderIsRight // that answer is about a changed cell of results
}

// An itemID identifies an item of the list: a trip that was sent by its number, any other by the
// ledger's number of its row and its leg.
type itemID struct {
	sent, row int64
	leg       importer.Leg
}

func idOfItem(o *importer.Outcome, leg importer.Leg) itemID {
	if isOwn(o) {
		return itemID{sent: o.Attempt}
	}
	return itemID{row: o.RowNumber, leg: leg}
}

// isOwn reports whether the number in an outcome is that of its own trip, and not of another
// trip that a question is about.
func isOwn(o *importer.Outcome) bool { return o.Attempt != 0 && !o.State.Missing() }

// itemOf returns the item of the list that an answer is about. It returns nil if there is
// none, or if the item is in another state than the workbook showed.
func (g *openList) itemOf(a *returned.Answer) *results.MorningItem {
	id := idOfItem(&a.Shown, a.Leg)
	for _, items := range [][]results.MorningItem{g.Urgent, g.Listed, g.past} {
		for i := range items {
			o := &items[i].Outcome
			if idOfItem(o, items[i].Trip.Leg) == id && o.State == a.Shown.State && o.Question == a.Shown.Question && o.Attempt == a.Shown.Attempt && !deniedSince(a, o) {
				return &items[i]
			}
		}
	}
	return nil
}

// deniedSince reports whether a person answered `not there` after the workbook of answer a was
// written. The ledger keeps such an answer until the trip can no longer appear. Answer a may
// have been taken before it, so it is not shown again.
func deniedSince(a *returned.Answer, o *importer.Outcome) bool {
	return o.State == importer.Unknown && o.Answered && !a.Shown.Answered && a.Verdict != importer.NotThere
}
