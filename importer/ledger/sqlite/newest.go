package sqlite

import (
	"encoding/hex"
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// machineHash returns the hash of a machine's id that the file stores. It is empty for no
// id.
func (l *Ledger) machineHash(id string) string {
	if id == "" {
		return ""
	}
	return hex.EncodeToString(l.hashes.Key("machine " + id)[:16])
}

// refuseCopy refuses a file that is behind its mark, a backup, and the ledger of another
// machine.
func (l *Ledger) refuseCopy(age tables.Age) error {
	refused := func(code, reason, fix string) error {
		return &ledger.Error{Code: code, Reason: fmt.Sprintf("the ledger %s %s", l.path, reason), Fix: fix + adoptFix, Steps: []importer.Advice{importer.Do("then adopt it", importer.AdoptLedger, "FILE")}}
	}

	const lost = "put the newest ledger in its place; if it is lost, take this one into use"
	switch {
	case age.Older:
		return refused("ledger-older-copy", "is an older copy: it lacks what was booked since, and those trips would be booked again", lost)
	case age.Backup != "":
		made, _ := time.Parse(time.RFC3339, age.Backup) // as it was written
		return refused("ledger-backup", "is a backup made on "+importer.SpokenAt(made.Local())+": trips sent after that are not in it and would be booked again", lost)
	case age.Machine != age.Here && age.Machine != "" && age.Here != "":
		return refused("ledger-other-machine", "is in use on another machine: a copy of it would book again what the other one books",
			"import there; if this machine takes its place, end the imports there and take the newest copy into use here")
	}
	return nil
}

// adoptFix is the end of each fix for a ledger that may lack what was booked since.
const adoptFix = ", with the results of the runs since it was copied, which prove what they booked"
