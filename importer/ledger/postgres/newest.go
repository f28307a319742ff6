package postgres

import (
	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// placeSQL tells the database from any other that a dump of it was restored into: the numbers that the
// server gave to the database and to the table meta.
const placeSQL = "SELECT oid || ' ' || 'meta'::regclass::oid FROM pg_database WHERE datname = current_database()"

// refuseCopy refuses a ledger that is behind this machine's mark, because the server was
// put back to an earlier state, or a standby took over that lacked the last commits, and one
// that was restored from a dump, whoever comes first. It also refuses a ledger that is being
// adopted.
func (l *Ledger) refuseCopy(age tables.Age) error {
	if !age.Older && age.Backup == "" && age.Machine == age.Here {
		return nil
	}
	reason := "is an older copy: it lacks what was booked since"
	if !age.Older && age.Backup == "" {
		reason = "was restored from a dump: it may lack what was booked since that was made"
	}
	return ledger.NewError("ledger-older-copy",
		"have the server's newest state put in its place; if that is lost, take this one into use, as the user who made it, with the results of the runs since, which prove what they booked",
		"the ledger at %s %s, and those trips would be booked again", l.location, reason).Or("then adopt it", importer.AdoptLedger, "FILE")
}
