package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// factFolder is the kind of the facts that name folders with morning lists, and factIssued of those
// that name workbooks in which people answer: results, lists, and copies of them.
const factFolder, factIssued = "folder", "issued"

// An issuedFile is what the ledger has of a workbook: how the file was when it was written, or when the
// answers in it were taken last, and the last day of service that it is about.
type issuedFile struct {
	Size  int64
	Saved time.Time
	Until importer.Date
	// Run is the run whose results they are.
	Run string `json:",omitempty"`
	// List reports that it is a morning list, and Typed that something is written in it. Missing
	// reports that people were told that it is not there.
	List, Typed, Missing bool
	// Fixed reports that cells were fixed in it that no retry has sent. Refused reports that it could not be
	// read as it is, and that the trips wait about which somebody may have answered in it.
	Fixed, Refused bool
	// Apart reports that what is written in it has no effect here: it stays as it is and where it is.
	Apart bool `json:",omitempty"`
	// Said are the answers that were read in it: read again, they do not contradict what was said since.
	Said []string `json:",omitempty"`
	// Changed is what was fixed in results when they were retried: saved again, nothing new is to be sent.
	Changed uint64 `json:",omitempty"`
}

// said tells what an answer says, and of what.
func said(a returned.Answer) string {
	return fmt.Sprint(idOfItem(&a.Shown, a.Leg), a.Shown.Saw, a.Verdict, a.GUID)
}

func (f *issuedFile) isAs(info os.FileInfo) bool {
	return info.Size() == f.Size && info.ModTime().Equal(f.Saved)
}

// isRead reports whether all that a file has was taken.
func (f *issuedFile) isRead(info os.FileInfo) bool { return f.isAs(info) && !f.Refused }

func (f issuedFile) fact(path string, at time.Time) ledger.Fact {
	text, _ := json.Marshal(f) // it has only plain fields
	return ledger.Fact{Kind: factIssued, Subject: path, Value: string(text), At: at}
}

// issuedFiles returns what the ledger has of workbooks, by their paths.
func issuedFiles(ctx context.Context, l ledger.Ledger) (map[string]issuedFile, error) {
	facts, err := l.Facts(ctx, factIssued)
	files := map[string]issuedFile{}
	for _, f := range facts {
		var is issuedFile
		if err := json.Unmarshal([]byte(f.Value), &is); err != nil {
			return nil, err
		}
		files[f.Subject] = is
	}
	return files, err
}

// resultsThere returns the path of results of a run that are where the ledger knows them; "" if there are none.
func resultsThere(files map[string]issuedFile, run string) string {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		info, err := os.Stat(path)
		if is := files[path]; is.Run == run && !is.List && err == nil && info.Mode().IsRegular() && results.FormatOf(path) != "" {
			return path
		}
	}
	return ""
}
