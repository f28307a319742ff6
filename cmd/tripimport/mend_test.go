package main

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"

	"tripimport/importer/ledger/sqlite/sqlitetest"
)

// mend changes a results workbook as a person does in the morning: in the row
// of the Results where one column has a value, another column gets a new one.
//
//	mend schedule.csv.*.results.xlsx 'Trip ID=T-3' 'Space Type=WCH'
func mend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: mend FILE WHERE=VALUE COLUMN=VALUE…")
	}
	path := theOnly(ts, args[0])
	f, err := excelize.OpenFile(path)
	ts.Check(err)
	defer func() { _ = f.Close() }()
	const sheet = "Results"
	rows, err := f.GetRows(sheet)
	ts.Check(err)
	where, value, _ := strings.Cut(args[1], "=")
	header := slices.IndexFunc(rows, func(r []string) bool { return slices.Contains(r, where) && slices.Contains(r, "Status") })
	if header < 0 {
		ts.Fatalf("no column %q in %s", where, path)
	}
	at := slices.IndexFunc(rows[header+1:], func(r []string) bool {
		c := slices.Index(rows[header], where)
		return c < len(r) && r[c] == value
	})
	if at < 0 {
		ts.Fatalf("no row with %s in %s", args[1], path)
	}
	for _, change := range args[2:] {
		column, value, _ := strings.Cut(change, "=")
		c := slices.Index(rows[header], column)
		if c < 0 {
			ts.Fatalf("no column %q in %s", column, path)
		}
		cell, err := excelize.CoordinatesToCellName(c+1, header+at+2)
		ts.Check(err)
		ts.Check(f.SetCellStr(sheet, cell, value))
	}
	ts.Check(f.Save())
}

// fill answers in the column "what we found" of a list that resolve wrote.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fill FILE TRIP=ANSWER…")
	}
	text := strings.TrimPrefix(ts.ReadFile(args[0]), "\ufeff")
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	ts.Check(err)
	id, found := slices.Index(records[0], "trip id"), slices.Index(records[0], "what we found")
	for _, arg := range args[1:] {
		trip, answer, _ := strings.Cut(arg, "=")
		at := slices.IndexFunc(records, func(r []string) bool { return r[id] == trip })
		if at < 0 {
			ts.Fatalf("%s has no trip %s", args[0], trip)
		}
		records[at][found] = answer
	}
	var out strings.Builder
	ts.Check(csv.NewWriter(&out).WriteAll(records))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o600))
}

// found writes an answer under What we found, in each row of CSV results that
// may be booked.
func found(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: found FILE ANSWER")
	}
	text := strings.TrimPrefix(ts.ReadFile(args[0]), "\ufeff")
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	ts.Check(err)
	at, status := slices.Index(records[0], "What we found"), slices.Index(records[0], "Status")
	for _, r := range records[1:] {
		if strings.HasPrefix(r[status], "may be booked") {
			r[at] = args[1]
		}
	}
	var out strings.Builder
	ts.Check(csv.NewWriter(&out).WriteAll(records))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o600))
}

// ageAttempts lets 20 minutes pass in the ledger: a trip that was sent less
// than 15 minutes ago can't be said not to be there.
func ageAttempts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: age-attempts")
	}
	ts.Check(sqlitetest.Age(context.Background(), ts.MkAbs(filepath.Join("home", "ledger.db")), 20*time.Minute))
}

// sheets makes a workbook of CSV files, one sheet each.
func sheets(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sheets FILE SHEET=CSV…")
	}
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	for i, arg := range args[1:] {
		name, from, _ := strings.Cut(arg, "=")
		if i == 0 {
			ts.Check(f.SetSheetName("Sheet1", name))
		} else {
			_, err := f.NewSheet(name)
			ts.Check(err)
		}
		records, err := csv.NewReader(strings.NewReader(ts.ReadFile(from))).ReadAll()
		ts.Check(err)
		for r, record := range records {
			cell, err := excelize.CoordinatesToCellName(1, r+1)
			ts.Check(err)
			ts.Check(f.SetSheetRow(name, cell, &record))
		}
	}
	ts.Check(f.SaveAs(ts.MkAbs(args[0])))
}
