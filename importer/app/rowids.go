package app

import (
	"context"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
	"tripimport/importer/service"
)

// openToCheck opens the ledger for a check, so that the check finds what an import would find.
// If the service or the ledger is not set up yet, the check does without the ledger.
func (j *job) openToCheck(ctx context.Context) error {
	if j.target != nil {
		j.ledger, j.address = j.target.ledger, j.target.address
		return nil
	}
	if j.ledger != nil { // an update that sends nothing has its ledger already
		return nil
	}
	address, err := service.CanonicalAddress(j.Settings.Text("base_url"))
	isSetUp := err == nil && j.Settings.trusted("base_url", "ledger", "ledger_password_file", "ledger_password_command") == nil
	if !isSetUp || !j.isCheck() || j.opts.Rehearsal {
		return nil
	}

	l, err := j.open(ctx, j.Settings.Text("ledger"), ledger.Options{ReadOnly: true})
	var wrong *ledger.Error
	switch {
	case errors.As(err, &wrong) && wrong.Missing:
		return nil
	case errors.As(err, &wrong):
		j.notice("the ledger was not asked what is booked: %s", wrong.Reason)
		return nil
	case err != nil:
		return err
	}

	j.ledger, j.address, j.closeLedger = l, address, l.Close
	return nil
}

// checkRowIDs refuses a mapping that identifies the rows of its broker by other columns than
// before. It also prepares to ask the ledger about each row.
func (j *job) checkRowIDs(ctx context.Context) error {
	if j.ledger == nil {
		return nil
	}
	known, err := j.ledger.CheckRowIDs(ctx, j.inputs[0].Mapper.RowIDs(), j.today)
	j.earlier = &run.Earlier{Ledger: j.ledger, Address: j.address, NewBroker: !known, Changes: j.changes, Clock: j.clock}
	return err
}

// If at least so many rows, and at least this share of all rows, have ids that are booked on
// other days, that is one question about the file and not a question about each row.
const (
	manyOtherDays     = 3
	otherDaysPerMille = 20
)

// refuseOtherRows refuses files whose rows the ledger would not recognize: those of a broker
// that has a new name, and those with many ids that are booked on other days, if the mapping
// does not say whether ids repeat.
func (j *job) refuseOtherRows(context.Context) error {
	if j.earlier == nil {
		return nil
	}
	broker := j.inputs[0].Mapper.RowIDs().Broker
	if n := j.earlier.Renamed; n > 0 {
		return Usage("if it is the same broker, add broker: to the mapping, with the name that the broker had before: the name of its earlier mapping, or the earlier name of this one",
			"%s booked already, with the same id, rider and day, from rows of another broker than %s; nothing was sent",
			importer.Counted(n, "trip of the file is", "trips of the file are"), broker)
	}
	if n := j.earlier.OtherDay; n >= manyOtherDays && n*1000 >= otherDaysPerMille*j.plan.Rows {
		return Usage("write ids: repeat into the mapping if the broker uses ids again, so that the date tells the trips apart; "+
			"write ids: unique if each id is used once and these trips were moved",
			"%s on other days: do ids of %s come again, or were the trips moved? nothing was sent",
			importer.Counted(n, "id of the file is booked", "ids of the file are booked"), broker)
	}
	return nil
}
