package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/mark"
)

// bindMachineSQL binds a ledger that is bound to no machine yet.
const bindMachineSQL = "UPDATE meta SET value = ? WHERE name = '" + metaMachine + "' AND value = ''"

// Number implements ledger.Ledger: it is the number of commits.
func (l *Ledger) Number() int64 {
	if l.commits == nil {
		return l.number
	}
	return l.commits.commits.Load()
}

// writeMark writes the mark of a commit.
func (l *Ledger) writeMark(commits int64) error {
	return l.mark.Write(mark.Point{Number: commits, Run: l.lastRun})
}

// machineHash gives what the file keeps of a machine's id; empty for none.
func (l *Ledger) machineHash(id string) string {
	if id == "" {
		return ""
	}
	return hex.EncodeToString(l.hashes.Key("machine " + id)[:16])
}

// checkNewest refuses a file that is behind its mark, a backup, and the ledger
// of another machine. It gives the file's number of commits.
func (l *Ledger) checkNewest(ctx context.Context, conn *sql.Conn, o options) (int64, error) {
	commits, err := commitsIn(ctx, conn)
	if err != nil {
		return 0, err
	}

	seen := l.mark.Seen()
	knowsRun := seen.Run == ""
	if !knowsRun {
		err = conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", seen.Run).Scan(&knowsRun)
	}

	backup, backupErr := meta(ctx, conn, metaBackup)
	machine, machineErr := meta(ctx, conn, metaMachine)
	if err := errors.Join(err, backupErr, machineErr); err != nil {
		return 0, err
	}

	here := l.machineHash(o.Machine)
	switch {
	case commits < seen.Number || !knowsRun:
		return 0, olderCopyError(l.path)
	case backup != "":
		return 0, isBackupError(l.path, backup)
	case machine != here && machine != "" && here != "":
		return 0, otherMachineError(l.path)
	}
	return commits, nil
}

// commitsIn reads the number of commits in the file's life.
func commitsIn(ctx context.Context, q querier) (int64, error) {
	text, err := meta(ctx, q, metaCommits)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// adoptFix is what to do with a ledger that lacks what was booked since.
const adoptFix = "put the newest ledger in its place; if it is lost, take this one into use with the results workbooks of the runs since, " +
	"which prove what they booked: tripimport ledger adopt --results FILE"

func olderCopyError(path string) error {
	return &ledger.Error{
		Code:   "ledger-older-copy",
		Reason: fmt.Sprintf("the ledger %s is an older copy: it lacks what was booked since, and those trips would be booked again", path),
		Fix:    adoptFix,
	}
}

func isBackupError(path, made string) error {
	return &ledger.Error{
		Code:   "ledger-backup",
		Reason: fmt.Sprintf("the ledger %s is a backup made at %s: trips sent after that are not in it and would be booked again", path, made),
		Fix:    adoptFix,
	}
}

func otherMachineError(path string) error {
	return &ledger.Error{
		Code:   "ledger-other-machine",
		Reason: fmt.Sprintf("the ledger %s is in use on another machine: a copy of it would book again what the other one books", path),
		Fix: "import there; if this machine takes its place, end the imports there and take the newest copy into use here: " +
			"tripimport ledger adopt --results FILE, with the results workbooks of the runs since the copy was made",
	}
}
