package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// OpenID identifies an item of the list of what is open, as long as it is open.
func OpenID(i *results.OpenItem) string {
	id := idOfItem(&i.Outcome, i.Trip.Leg)
	about := fmt.Sprint(id.sent, id.row, id.leg.Code())
	if id.sent == 0 {
		about += fmt.Sprintln(" ", i.Input, i.Sheet, i.Row)
	}
	sum := sha256.Sum256([]byte(about))
	return hex.EncodeToString(sum[:8])
}

// Open lists what is open, the most urgent first. Nothing is written.
func (j *Jobs) Open(ctx context.Context) (*results.Morning, error) {
	a, err := j.open("")
	if err != nil {
		return nil, err
	}
	m, _, err := a.Morning(ctx, MorningOptions{})
	return m, err
}

// ErrAnswered is the error of an answer to what was answered meanwhile, or is not open any more.
var ErrAnswered = Usage("look at the list as it is now", "somebody has answered this meanwhile, or a run has changed it; your answer was not recorded")

// Answer records a person's answer to an item of the list, if the item still is as the person saw
// it: saw is its Outcome.Saw. If the answer is not taken, note says why, and the item stays open.
func (j *Jobs) Answer(ctx context.Context, id string, saw int64, v importer.Verdict, guid, by string) (note string, err error) {
	j.answering.Lock()
	defer j.answering.Unlock()

	a, err := j.open(by)
	if err != nil {
		return "", err
	}
	m, _, err := a.Morning(ctx, MorningOptions{})
	if err != nil {
		return "", err
	}
	for _, part := range [][]results.OpenItem{m.Urgent, m.Listed} {
		for i := range part {
			if OpenID(&part[i]) == id && part[i].Outcome.Saw == saw {
				return a.AnswerOpen(ctx, &part[i], v, guid)
			}
		}
	}
	return "", ErrAnswered
}

// Runs lists the last runs that the ledger knows, the last first.
func (j *Jobs) Runs(ctx context.Context) (runs []ledger.Run, err error) {
	a, err := j.open("")
	if err != nil {
		return nil, err
	}
	const most = 60
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		runs, err = l.Runs(ctx, most)
		return err
	})
	return runs, err
}

// Results returns the path of the workbook with the results of a run of this ledger, if it is where it was
// written.
func (j *Jobs) Results(ctx context.Context, run string) (path string, err error) {
	a, err := j.open("")
	if err != nil {
		return "", err
	}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		known, err := FindRun(ctx, l, run)
		if err != nil {
			return err
		}
		facts, err := l.Facts(ctx, factIssued)
		i := slices.IndexFunc(facts, func(f ledger.Fact) bool {
			var of issuedFile
			info, err := os.Stat(f.Subject)
			return json.Unmarshal([]byte(f.Value), &of) == nil && of.Run == known.ID && !of.List &&
				slices.Contains([]string{".xlsx", ".csv"}, filepath.Ext(f.Subject)) && err == nil && info.Mode().IsRegular()
		})
		if err != nil || i < 0 {
			return errors.Join(err, Usage("look on the machine on which the run was", "the results of this run are not where they were written"))
		}
		path = facts[i].Subject
		return nil
	})
	return path, err
}
