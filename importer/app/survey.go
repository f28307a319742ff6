package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
)

// A Survey says what a schedule holds, and how it compares with those before it.
type Survey struct {
	// Plan is that of an import.
	*run.Plan
	// Whole reports that the schedule has all trips of its days, according to its mapping.
	Whole bool
}

// Survey reads a schedule to its end and compares it with the ledger, for the days of service
// that an import names. It sends nothing and writes nothing. Its error is the one that an import
// of the file would return.
func (a *App) Survey(ctx context.Context, path string, days []importer.Date) (_ *Survey, err error) {
	j, err := a.openJob("check", Options{Days: days}, Silent{}, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	s := &Survey{Whole: j.input.Mapper.Rules().Complete}
	return s, a.ReadLedger(ctx, func(l ledger.Ledger) (err error) {
		j.ledger = l
		if j.approval, err = approvalIn(ctx, l, j.mapping); err != nil {
			return err
		}
		if err := a.refuseUnapproved(j.mapping, j.approval, path); err != nil {
			return err
		}
		if j.address, err = a.addressIn(ctx, l); err != nil {
			return err
		}
		err = j.through(ctx, j.setToday, j.watchWords, j.makePlan)
		s.Plan = j.plan
		return err
	})
}

// Has reports whether the schedule has trips on one of the days.
func (s *Survey) Has(days []importer.Date) bool { return slices.ContainsFunc(days, s.HasDay) }
