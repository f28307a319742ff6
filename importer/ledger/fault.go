package ledger

import (
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Fault says why the ledger can't be used, or can't be used any further. It
// holds no row content.
type Fault struct {
	// Code is stable and for machines: "ledger-missing".
	Code string
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
	// Locked reports that another run holds the ledger: waiting helps.
	Locked bool

	cause error
}

func (f *Fault) Error() string { return f.Reason }

// Unwrap gives what the operating system or SQLite said, for errors.Is.
func (f *Fault) Unwrap() error { return f.cause }

// A TooSoonError refuses the word that a trip is not there, because its request
// may still be under way.
type TooSoonError struct {
	// Left is how long to wait before asking again.
	Left time.Duration
}

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("the trip was sent less than 15 minutes ago and may still appear: look again in %s",
		minutes(e.Left))
}

// minutes gives a duration in whole minutes, rounded up, for people.
func minutes(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	if n == 1 {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

// resultCode gives SQLite's primary result code, 0 for an error of another kind.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// openFault says why the file at path could not be opened or read.
func openFault(path string, err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return damagedFault(path, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &Fault{
			Code: "ledger-busy", Locked: true, cause: err,
			Reason: fmt.Sprintf("another program is writing to the ledger %s", path),
			Fix:    "close the program that has the file open, then run the same command again",
		}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return readOnlyFault(path, err)
	}
	return &Fault{
		Code: "ledger-unreadable", cause: err,
		Reason: fmt.Sprintf("the ledger %s can't be opened", path),
		Fix:    "see that the disk is in order and that you may read and write the file and its folder",
	}
}

// writeFault says why a commit failed. After it nothing more is sent.
func writeFault(path string, err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_FULL:
		return &Fault{
			Code: "ledger-disk-full", cause: err,
			Reason: fmt.Sprintf("the disk is full: the ledger %s can't be written", path),
			Fix:    "make room on the disk, then run the same command again: it goes on where it stopped",
		}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damagedFault(path, err)
	}
	return &Fault{
		Code: "ledger-write-failed", cause: err,
		Reason: fmt.Sprintf("the ledger %s could not be written", path),
		Fix:    "see that the disk is in order and not full, then run the same command again: it goes on where it stopped",
	}
}

func damagedFault(path string, err error) *Fault {
	return &Fault{
		Code: "ledger-damaged", cause: err,
		Reason: fmt.Sprintf("the ledger %s is damaged", path),
		Fix:    "keep the damaged file, put the newest backup in its place and see which trips were booked since; do not begin an empty one",
	}
}

func readOnlyFault(path string, err error) *Fault {
	return &Fault{
		Code: "ledger-read-only", cause: err,
		Reason: fmt.Sprintf("the ledger %s or its folder can't be written", path),
		Fix:    "give yourself the right to change the file and its folder",
	}
}

func missingFault(path string) *Fault {
	return &Fault{
		Code:   "ledger-missing",
		Reason: fmt.Sprintf("there is no ledger at %s", path),
		Fix: fmt.Sprintf("if this office has a ledger already, name it with --ledger or in tripimport.yaml: "+
			"an empty second one would book the night twice; if it has none yet, run: tripimport ledger new --ledger %q", path),
	}
}
