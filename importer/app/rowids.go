package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/service"
)

// openToCheck opens the ledger for a check, so that the check finds what an import would find.
// If the service or the ledger is not set up yet, the check does without the ledger.
func (j *job) openToCheck(ctx context.Context) error {
	if j.opts.Rehearsal {
		return nil
	}
	address, err := service.CanonicalAddress(j.Settings.Text("base_url"))
	if err != nil {
		return nil //nolint:nilerr // the service is not set up yet
	}

	l, err := j.open(ctx, j.Settings.Text("ledger"), ledger.Options{ReadOnly: true})
	switch wrong, ok := errors.AsType[*ledger.Error](err); {
	case ok && wrong.Missing:
		return nil
	case ok:
		j.notice("the ledger was not asked what is booked: %s", wrong.Reason)
		return nil
	case err != nil:
		return err
	}

	j.ledger, j.closers = l, append(j.closers, l.Close)
	j.address, err = l.Service(ctx, address)
	return err
}

// factRowIDs is the kind of the facts that say from which columns the ids of a broker's rows are
// made.
const factRowIDs = "row ids"

// checkRowIDs refuses a mapping that identifies the rows of its broker by other columns than
// before, while trips of the broker are booked ahead: the ledger would not recognize the rows.
func (j *job) checkRowIDs(ctx context.Context) error {
	if j.ledger == nil {
		return nil
	}
	ids := j.input.Mapper.RowIDs()
	facts, err := j.ledger.Facts(ctx, factRowIDs)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(facts, func(f ledger.Fact) bool { return f.Subject == importer.BrokerText(ids.Broker) })
	if j.knownBroker = i >= 0; j.knownBroker && facts[i].Value != ids.Columns {
		return j.refuseAhead(ctx, ids.Broker)
	}
	return nil
}

// refuseAhead refuses a mapping with other row ids if trips of its broker are booked ahead.
func (j *job) refuseAhead(ctx context.Context, broker string) error {
	ahead, err := takenTrips(ctx, j.ledger, j.address, ledger.Search{From: j.today})
	ahead = slices.DeleteFunc(ahead, func(s importer.Standing) bool { return importer.BrokerText(s.Broker) != importer.BrokerText(broker) })
	if err != nil || len(ahead) == 0 {
		return err
	}
	return Usage("use the mapping as it was until these trips are past, or put the columns of trip_id back as they were",
		"the mapping identifies the rows of %s by other columns than before, while %s booked ahead: it would not recognize them, and book them again",
		broker, importer.Counted(len(ahead), "trip is", "trips are"))
}

// recordRowIDs records from which columns the ids of the broker's rows are made.
func (j *job) recordRowIDs(ctx context.Context) error {
	ids, by := j.input.Mapper.RowIDs(), j.thisPerson()
	return j.ledger.SetFact(ctx, ledger.Fact{
		Kind: factRowIDs, Subject: importer.BrokerText(ids.Broker), Value: ids.Columns, Who: by.Who, Host: by.Host, At: by.When,
	})
}

// refuseOtherRows refuses files whose rows the ledger would not recognize: those of a broker that
// has a new name, and those with many ids that are booked on other days, if the mapping does not
// say whether ids repeat.
func (j *job) refuseOtherRows(context.Context) error {
	if j.ledger == nil {
		return nil
	}
	broker := j.input.Mapper.RowIDs().Broker
	if n := j.plan.Foreign; n > 0 && !j.knownBroker {
		return Usage("if it is the same broker, add broker: to the mapping, with the name that the broker had before: the name of its earlier mapping, or the earlier name of this one",
			"%s booked already, with the same id, rider and day, from rows of another broker than %s; nothing was sent",
			importer.Counted(n, "trip of the file is", "trips of the file are"), broker)
	}
	if n := j.plan.OtherDay; judge.Repeats(n, j.plan.Rows) {
		return Usage("write ids: repeat into the mapping if the broker uses ids again, so that the date tells the trips apart; "+
			"write ids: unique if each id is used once and these trips were moved",
			"%s on other days: do ids of %s come again, or were the trips moved? nothing was sent",
			importer.Counted(n, "id of the file is booked", "ids of the file are booked"), broker)
	}
	return nil
}
