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

// A morningFile is a morning workbook in the folder, as it was read.
type morningFile struct {
	path    string
	text    []byte
	answers []returned.Answer
	// wrong is why its answers can't be taken; nil if they can.
	wrong error
}

// readMorningFiles reads the morning workbooks of the ledger in the folder: morning.xlsx, and
// those that were written beside it while somebody had it open.
func (g *openList) readMorningFiles(folder string) ([]morningFile, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, Usage("name a folder that this user may read", "the folder %s can't be read", folder)
	}
	names := regexp.MustCompile(`^morning(-\d+)?\.xlsx$`)
	var files []morningFile
	for _, entry := range entries {
		if names.MatchString(entry.Name()) && entry.Type().IsRegular() {
			f, err := g.readMorningFile(filepath.Join(folder, entry.Name()))
			if errors.Is(err, returned.ErrNoMorning) {
				continue // somebody else's
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
	f.answers, f.wrong = returned.ReadMorning(path, g.ledger.Identity(), g.ledger.Key("results"))
	if errors.Is(f.wrong, returned.ErrNoMorning) {
		return f, f.wrong
	}
	return f, nil
}

// writeWorkbook writes the list to the folder, with the answers that are not taken. Only
// then are the workbooks that are there moved aside, or removed if nobody has answered in
// them: a run that is killed loses no answer. One that somebody has open, or that can't be
// taken, is left.
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
	if free := atomicfile.FreeName(path); cmp.Or(cmp.Compare(len(free), len(g.Written)), cmp.Compare(free, g.Written)) < 0 && os.Rename(g.Written, free) == nil {
		g.Written = free
	}
	return g.share(g.Written)
}

// moveAside gives a workbook whose answers are in a new one another name, or removes it if it
// has none. One that somebody has open, or has changed meanwhile, stays.
func (f *morningFile) moveAside(now time.Time) {
	aside := atomicfile.FreeName(strings.TrimSuffix(f.path, ".xlsx") + now.UTC().Format(".20060102T150405Z") + ".answered.xlsx")
	if os.Rename(f.path, aside) != nil {
		return
	}
	switch text, err := os.ReadFile(aside); {
	case err != nil || !bytes.Equal(text, f.text):
		_ = os.Rename(aside, f.path) // the next list takes what it has now
	case len(f.answers) == 0:
		_ = os.Remove(aside)
	}
}

// isOpen reports whether a spreadsheet program says, in a file of its own beside it, that
// somebody has a workbook open. A program that has crashed leaves such a file for ever.
func isOpen(path string, now time.Time) bool {
	dir, name := filepath.Split(path)
	const crashed = 24 * time.Hour
	return slices.ContainsFunc([]string{"~$" + name, ".~lock." + name + "#"}, func(lock string) bool {
		info, err := os.Stat(filepath.Join(dir, lock))
		return err == nil && now.Sub(info.ModTime()) < crashed
	})
}

// keepAnswers has answers that are not taken stay beside their trips.
func (g *openList) keepAnswers(answers []returned.Answer) {
	for i := range answers {
		a := &answers[i]
		item := g.itemOf(a)
		switch {
		case item == nil:
			continue
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

// unfit reports whether an answer does not fit a trip with the outcome.
func unfit(a *returned.Answer, o *importer.Outcome) bool {
	_, fits := a.Verdict.RuleOf(o)
	return !fits || a.Verdict == importer.RiderIsRight // which is about a cell that was changed
}

// An itemID says which item an answer is about: a booked trip by its attempt, any other by
// its row.
type itemID struct {
	attempt int64
	tripAt
}

func idOfItem(o *importer.Outcome, input, sheet string, row int, leg importer.Leg) itemID {
	if ownAttempt(o) {
		return itemID{attempt: o.Attempt}
	}
	return itemID{tripAt: tripAt{rowAt{input, sheet, row}, leg}}
}

// itemOf returns the item of the list that an answer is about; nil if there is none, or it is
// in another state than it was shown in.
func (g *openList) itemOf(a *returned.Answer) *results.MorningItem {
	id := idOfItem(&a.Shown, a.Input, a.Sheet, a.Row, a.Leg)
	for _, items := range [][]results.MorningItem{g.Urgent, g.Listed, g.past} {
		for i := range items {
			item := &items[i]
			o := &item.Outcome
			if idOfItem(o, item.Input, item.Sheet, item.Row, item.Trip.Leg) == id && o.State == a.Shown.State && o.Question == a.Shown.Question && o.Attempt == a.Shown.Attempt && !deniedSince(a, o) {
				return item
			}
		}
	}
	return nil
}

// deniedSince reports whether a person said after the answer's workbook was written that the
// trip is not there, which the ledger keeps until it can be sure. The answer may have been
// taken before that.
func deniedSince(a *returned.Answer, o *importer.Outcome) bool {
	return o.State == importer.Unknown && o.Answered && !a.Shown.Answered && a.Verdict != importer.NotThere
}
