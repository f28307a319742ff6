package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
)

// recordAnswer records what an answer does, as the judge decides. It returns whether it is
// recorded now, and not before, and why it is not taken, or nil. What happens to its trip or its row meanwhile is judged anew.
// An answer in a workbook with the GUID of another trip is kept as a text that can't be taken.
func recordAnswer(ctx context.Context, l ledger.Ledger, given importer.Answer) (isNew bool, _ *judge.Refusal, err error) {
	const tries = 5
	for range tries {
		known, err := knownOf(ctx, l, &given)
		if err != nil {
			return false, nil, err
		}
		if word := known.WordOf(given.Row); given.Trip == 0 && word != nil && word.Became != 0 {
			given.Row, given.Own = word.Became, nil // hashes of another row can't be compared
			continue
		}
		effects, refusal := judge.Take(given, &known)
		if len(effects) > 0 {
			err = l.Record(ctx, effects...)
		}
		taken, isTaken := errors.AsType[importer.GUIDTaken](err)
		switch {
		case errors.Is(err, importer.ErrMeanwhile):
			continue
		case isTaken:
			if _, err := run.DoubtGUID(ctx, l, given, taken.Trip); err != nil {
				return false, nil, err
			}
			refusal, err = recordUnclear(ctx, l, given, guidTaken)
			return false, refusal, err
		case err != nil:
			return false, nil, err
		}
		return len(effects) > 0, refusal, nil
	}
	return false, &judge.Refusal{Reason: "something else happens to the trip at this moment: answer again"}, nil
}

// recordUnclear records an answer that can't be taken for a reason, so that its trip waits.
func recordUnclear(ctx context.Context, l ledger.Ledger, given importer.Answer, why string) (*judge.Refusal, error) {
	given.Verdict, given.GUID = importer.NoVerdict, ""
	_, refusal, err := recordAnswer(ctx, l, given)
	if refusal != nil {
		refusal.Reason = why
	}
	return refusal, err
}

// knownOf returns what the ledger knows of the subject of an answer, and of the trip that its
// question named.
func knownOf(ctx context.Context, l ledger.Ledger, given *importer.Answer) (known importer.Known, err error) {
	if given.Trip != 0 {
		known, _, err = l.Trip(ctx, given.Trip)
		return known, err
	}
	known, _, err = l.Row(ctx, given.Row)
	if err != nil || given.Other == 0 || slices.ContainsFunc(known.Trips, func(s importer.Standing) bool { return s.Number == given.Other }) {
		return known, err
	}
	other, _, err := l.Trip(ctx, given.Other)
	known.Trips = append(known.Trips, other.Trips...)
	for _, word := range other.Words {
		if known.WordOf(word.Row) == nil {
			known.Words = append(known.Words, word)
		}
	}
	return known, err
}
