package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// bindMachineSQL binds a ledger to a machine if it is not bound yet.
const bindMachineSQL = "UPDATE meta SET value = ? WHERE name = '" + tables.MetaMachine + "' AND value = ''"

// Number implements ledger.Ledger.
func (l *Ledger) Number() int64 {
	return l.engine.events.Load()
}

// machineHash returns the hash of a machine's id that the file stores. It is empty for no
// id.
func (l *Ledger) machineHash(id string) string {
	if id == "" {
		return ""
	}
	return hex.EncodeToString(l.hashes.Key("machine " + id)[:16])
}

// checkNewest refuses a file that is behind its mark, a backup, and the ledger of another
// machine. It returns the number of
// the last event.
func (l *Ledger) checkNewest(ctx context.Context, conn *sql.Conn, o options) (int64, error) {
	event, err := tables.EventsIn(ctx, conn)
	if err != nil {
		return 0, err
	}

	older, err := l.engine.writer.Older(ctx, event, l.engine.mark.Seen())
	backup, backupErr := tables.Meta(ctx, conn, tables.MetaBackup)
	machine, machineErr := tables.Meta(ctx, conn, tables.MetaMachine)
	if err := errors.Join(err, backupErr, machineErr); err != nil {
		return 0, err
	}

	refused := func(code, reason, fix string) (int64, error) {
		return 0, &ledger.Error{Code: code, Reason: fmt.Sprintf("the ledger %s %s", l.path, reason), Fix: fix + adoptFix, Steps: []importer.Advice{importer.Do("then", importer.AdoptLedger, "FILE")}}
	}

	const lost = "put the newest ledger in its place; if it is lost, take this one into use"
	switch here := l.machineHash(o.Machine); {
	case older:
		return refused("ledger-older-copy", "is an older copy: it lacks what was booked since, and those trips would be booked again", lost)
	case backup != "":
		return refused("ledger-backup", "is a backup made on "+spokenInstant(backup)+": trips sent after that are not in it and would be booked again", lost)
	case machine != here && machine != "" && here != "":
		return refused("ledger-other-machine", "is in use on another machine: a copy of it would book again what the other one books",
			"import there; if this machine takes its place, end the imports there and take the newest copy into use here")
	}
	return event, nil
}

// adoptFix is the end of each fix for a ledger that may lack what was booked since.
const adoptFix = ", with the results of the runs since it was copied, which prove what they booked"

// spokenInstant returns a stored instant for people, in this machine's zone.
func spokenInstant(stored string) string {
	at, err := time.Parse(time.RFC3339, stored)
	if err != nil {
		return stored
	}
	return at.Local().Format("Jan 2, 2006 15:04")
}
