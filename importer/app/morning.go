package app

import (
	"context"

	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// MorningOptions say what a morning list is made of.
type MorningOptions struct {
	// Folder is the shared folder of results, into which the workbook is written, and from
	// which answers are taken; empty for no workbook.
	Folder string
	// Inputs are results of runs and folders with such. Folder is one of them.
	Inputs []string
	// Unsent are schedules that were not sent, for the sheets with which they are phoned.
	Unsent []Unsent
}

// An Unsent is a schedule that was not sent, with its mapping's file or a template's name;
// empty for the one whose columns it has.
type Unsent struct{ Path, Mapping string }

// Taken is what became of the answers in morning workbooks.
type Taken struct {
	// Answers were taken. Notes say of each other one why it was not, or that it counts
	// later; they have no row content.
	Answers int
	Notes   []string
}

// Morning lists what is open of all runs of the office's ledger. What a run booked is
// looked up in the ledger; which rows are open and what they say is in the run's results,
// found among Inputs, whose rows are checked anew with the mapping as it is now: so what
// was answered, fixed or booked since is no longer open, and nothing has to be kept about
// open rows that could be out of date. It sends nothing. A run of which no results are
// found is named in Morning.Lost.
func (a *App) Morning(ctx context.Context, o MorningOptions) (m *results.Morning, err error) {
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		list, err := a.listOpen(ctx, l, o)
		if err == nil {
			m = list.Morning
		}
		return err
	})
	return m, err
}

// TakeMorning takes the answers in the morning workbooks of Folder. Answers about what was
// sent are recorded; rows that an answer sets free are sent, as a retry of their results
// would.
func (a *App) TakeMorning(ctx context.Context, o MorningOptions, run Options, e Events) (Taken, error) {
	return Taken{}, nil
}
