package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// unreadableFiles are workbooks of ours that can't be read, with the trips that wait because somebody may have
// answered in them.
type unreadableFiles struct {
	*taker
	known map[string]issuedFile // what the ledger has of workbooks, by their paths
	news  []ledger.Fact         // what it is to have
}

// isRefused returns why a file is refused that may be a workbook of ours: one without its record, because a sheet
// was saved apart, or one that was saved in another format. It returns nil for any other.
func (r *unreadableFiles) isRefused(path string, lost bool) error {
	if lost {
		return returned.WithoutRecord(filepath.Base(path))
	}
	if r.twin(path) != "" && !slices.Contains([]string{".xlsx", ".csv"}, strings.ToLower(filepath.Ext(path))) {
		return returned.OtherFormat(filepath.Base(path))
	}
	return nil
}

// twin returns the workbook that the ledger issued under the name of a file, in another format; "" if there is none.
func (r *unreadableFiles) twin(path string) string {
	stem := func(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }
	for known := range r.known {
		if known != path && stem(known) == stem(path) {
			return known
		}
	}
	return ""
}

// refuse names a workbook that can't be read. If somebody may have answered in it, the trips that it may ask
// about wait, until it can be read again, or somebody answers elsewhere.
func (r *unreadableFiles) refuse(ctx context.Context, path string, is issuedFile, why error) error {
	name := filepath.Base(path)
	note := "no answer in " + name + " was taken: " + why.Error()
	if in := (*importer.InputError)(nil); errors.As(why, &in) {
		note += "; " + in.Fix
	}
	r.Notes, r.Refused = append(r.Notes, note), append(r.Refused, name)
	was, known := r.known[path]
	if known && was.Refused && was.Size == is.Size && was.Saved.Equal(is.Saved) {
		return nil // its trips wait
	}
	is.Run, is.List, is.Refused = cmp.Or(is.Run, was.Run, r.known[r.twin(path)].Run), is.List || was.List || isListName(path), returned.Answered(path)
	if is.Refused || !known { // a copy without an answer is named once
		r.news = append(r.news, is.fact(path, r.env.Clock.Now()))
	}
	if is.Refused {
		return r.wait(ctx, name, &is)
	}
	return nil
}

// wait lets the trips wait about which somebody may have answered in a file with the name that can't be read.
func (r *unreadableFiles) wait(ctx context.Context, name string, is *issuedFile) error {
	of, err := r.ledger.Run(ctx, is.Run)
	if err != nil && !errors.Is(err, ledger.ErrNoRun) {
		return err
	}
	return r.eachUnsent(ctx, func(i *openItem, answer importer.Answer) error {
		if broker := importer.BrokerText(of.RowIDs.Broker); is.List || broker == "" || broker == importer.BrokerText(i.Broker) {
			answer.Note, answer.Where = importer.UnreadableFile, name
			_, _, err := recordAnswer(ctx, r.ledger, answer)
			return err
		}
		return nil
	})
}

// lift lets the trips go that wait because a workbook could not be read, once it can be, under whatever name, and has
// answers, but none about them. One without an answer is a fresh copy: what was written is lost.
func (r *unreadableFiles) lift(ctx context.Context, path, run string, answers int) error {
	if answers == 0 {
		return nil
	}
	for refused, was := range r.known {
		if !was.Refused || refused != path && (was.List || run == "" || was.Run != run) {
			continue
		}
		if err := r.liftAll(ctx, filepath.Base(refused)); err != nil {
			return err
		}
		was.Refused = false
		r.news = append(r.news, was.fact(refused, r.env.Clock.Now()))
	}
	return nil
}

// liftAll lets all trips go that wait because of the file with the name.
func (r *unreadableFiles) liftAll(ctx context.Context, name string) error {
	return r.eachUnsent(ctx, func(_ *openItem, answer importer.Answer) error {
		known, _, err := r.ledger.Row(ctx, answer.Row)
		word := known.WordOf(answer.Row)
		if err != nil || word == nil || !judge.WaitsFor(word, answer.Leg, name) {
			return err
		}
		answer.Verdict, answer.Shown, answer.Question, answer.Where = importer.Book, importer.Held, importer.AskAgain, name
		_, _, err = recordAnswer(ctx, r.ledger, answer)
		return err
	})
}

// eachUnsent calls do for each open item about a leg that was not sent, with the beginning of an answer about it.
func (r *unreadableFiles) eachUnsent(ctx context.Context, do func(*openItem, importer.Answer) error) error {
	items, err := openItems(ctx, r.ledger)
	by := r.thisPerson()
	for k := range items {
		i := &items[k]
		o := &i.Outcome
		if err == nil && o.State.Missing() && o.RowNumber != 0 {
			err = do(i, importer.Answer{Row: o.RowNumber, Leg: i.Trip.Leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Host: by.Host, At: by.When})
		}
	}
	return err
}
