package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// refuseDamaged refuses a file that may be a workbook of ours: one without its record, because a sheet was saved
// apart, or one that can't be opened and is called as a list or a workbook of ours. Any other is none.
func (t *taker) refuseDamaged(ctx context.Context, f *foundFile, is issuedFile) error {
	switch {
	case f.trace.Lost:
		return t.refuse(ctx, f.path, is, returned.WithoutRecord(filepath.Base(f.path)))
	case f.trace.Unreadable != nil && (isListName(f.path) || t.twin(f.path) != ""): // the ledger may not have the list
		return t.refuse(ctx, f.path, is, f.trace.Unreadable)
	}
	return nil
}

// twin returns the workbook that the ledger issued under the name of a file, in another format or with something added to the
// name, such as "(1)"; "" if there is none.
func (t *taker) twin(path string) string {
	for known, is := range t.known {
		added, alike := strings.CutPrefix(stem(path), stem(known))
		first, _ := utf8.DecodeRuneInString(added) // no letter if nothing was added
		if alike && !unicode.IsLetter(first) && !unicode.IsDigit(first) && known != path && !is.Apart {
			return known
		}
	}
	return ""
}

// stem returns a path without the format.
func stem(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// refuse names a workbook that can't be read. If somebody may have answered in it, the trips that it may ask
// about wait, until it can be read again, or somebody answers elsewhere.
func (t *taker) refuse(ctx context.Context, path string, is issuedFile, why error) error {
	name := filepath.Base(path)
	note := "no answer in " + name + " was taken: " + why.Error()
	if in, ok := errors.AsType[*importer.InputError](why); ok {
		note += "; " + in.Fix
	}
	t.Notes, t.Refused = append(t.Notes, note), append(t.Refused, name)
	was, known := t.known[path]
	if known && was.Refused && was.Size == is.Size && was.Saved.Equal(is.Saved) {
		return nil // its trips wait
	}
	is.Run, is.List, is.Refused = cmp.Or(is.Run, was.Run, t.known[t.twin(path)].Run), is.List || was.List || isListName(path), returned.Answered(path)
	is.Fixed = is.List // perhaps: so it stays where it is

	if is.Refused || !known { // a copy without an answer is named once
		t.note(path, is)
	}
	if is.Refused {
		return t.wait(ctx, name, &is)
	}
	return nil
}

// wait lets the trips wait about which somebody may have answered in a file with the name that can't be read.
func (t *taker) wait(ctx context.Context, name string, is *issuedFile) error {
	of, err := t.ledger.Run(ctx, is.Run)
	if err != nil && !errors.Is(err, ledger.ErrNoRun) {
		return err
	}
	broker := ""
	if !is.List {
		broker = importer.BrokerText(of.RowIDs.Broker)
	}
	return t.noteUnsent(ctx, t.ledger, broker, importer.UnreadableFile, name)
}

// lift lets the trips go that wait because a workbook could not be read, once it can be, under whatever name or in our format, and
// has answers, but none about them. One without an answer is a fresh copy: what was written is lost. One that was found, and that
// nobody retries, is another copy while the first is there.
func (t *taker) lift(ctx context.Context, path, run string, found bool) error {
	for refused, was := range t.known {
		_, err := os.Stat(refused)
		isThere := found && err == nil
		ofRun := run != "" && was.Run == run && !isThere
		if isSame := refused == path || !was.List && (stem(refused) == stem(path) || ofRun); !was.Refused || !isSame {
			continue
		}
		if err := t.noteUnsent(ctx, t.ledger, "", "", filepath.Base(refused)); err != nil {
			return err
		}
		was.Refused = false
		t.note(refused, was)
	}
	return nil
}

// noteUnsent records of each open item of a broker, or of all, about a leg that was not sent, why it waits; an empty note lets it go.
func (a *App) noteUnsent(ctx context.Context, l ledger.Ledger, broker, note, where string) error {
	items, err := openItems(ctx, l)
	for k := range items {
		i := &items[k]
		isOther := broker != "" && broker != importer.BrokerText(i.Broker)
		if err != nil || isOther || !i.Outcome.State.Missing() || i.Outcome.RowNumber == 0 {
			continue
		}
		answer := a.answerAbout(i)
		answer.Note, answer.Where = note, where
		_, _, err = recordAnswer(ctx, l, answer)
	}
	return err
}

// answerAbout returns the beginning of an answer about the leg of an item.
func (a *App) answerAbout(i *results.OpenItem) importer.Answer {
	o, by := &i.Outcome, a.thisPerson()
	return importer.Answer{Row: o.RowNumber, Leg: i.Trip.Leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Host: by.Host, At: by.When}
}
