package sqlite

import (
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"tripimport/importer/ledger"
)

// errorOf returns the error for a file that could not be made, opened, read or written.
func errorOf(path string, err error) *ledger.Error {
	if e, ok := errors.AsType[*ledger.Error](err); ok {
		return e
	}

	code := 0 // SQLite's primary result code, if the error has one
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code = e.Code() & 0xff
	}
	switch code {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return damagedError(path, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		busy := ledger.NewError("ledger-busy", "close the program that has the file open, then do the same again",
			"another program is writing to the ledger %s", path)
		busy.Locked = true
		return busy.Because(err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return notWritableError(path, err)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return notWritableError(path, err)
	}
	return ledger.NewError("ledger-disk", "see that the disk is in order and not full, and that you may read and write the file and its folder, then do the same again: it goes on where it stopped",
		"the ledger %s can't be read or written", path).Because(err)
}

func damagedError(path string, err error) *ledger.Error {
	return ledger.NewError("ledger-damaged", "keep the damaged file, put the newest backup in its place and see which trips were booked since; do not begin an empty one",
		"the ledger %s is damaged", path).Because(err)
}

func notWritableError(path string, err error) *ledger.Error {
	return ledger.NewError("ledger-read-only", "give yourself the right to change the file, those beside it whose names begin with its name, and their folder",
		"the ledger %s or its folder can't be written", path).Because(err)
}
