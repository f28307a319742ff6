package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"
)

// writeCells writes the cells of a workbook to a text file, each row on a line.
//
//	cells report.xlsx report.txt
func writeCells(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) == 2, "cells WORKBOOK FILE")
	f, err := excelize.OpenFile(ts.MkAbs(args[0]))
	ts.Check(err)
	defer func() { _ = f.Close() }()
	var text strings.Builder
	for _, name := range f.GetSheetList() {
		rows, err := f.GetRows(name)
		ts.Check(err)
		for _, row := range rows {
			text.WriteString(strings.Join(row, "|") + "\n")
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text.String()), 0o600))
}

// editResults changes cells of a results workbook, as a person does in the
// morning: in the row of a sheet Results that has a value in one column, it
// sets other columns.
//
//	edit schedule.csv.*.results.xlsx 'Trip ID=T-3' 'Space Type=WCH'
//
// COLUMN/comment=TEXT adds a text to the comment on the cell.
func editResults(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: edit FILE WHERE=VALUE COLUMN=VALUE…")
	}

	path := theOnly(ts, args[0])
	f, err := excelize.OpenFile(path)
	ts.Check(err)
	defer func() { _ = f.Close() }()
	where, value, _ := strings.Cut(strings.ReplaceAll(args[1], `\n`, "\n"), "=")
	sheet := "Results" // or, of several inputs, the one that has the value
	named, column, inOther := strings.Cut(where, "!")
	for _, name := range f.GetSheetList() {
		if found, err := f.SearchSheet(name, value); err == nil && len(found) > 0 && strings.HasPrefix(name, "Results") {
			sheet = name
		}
	}
	if inOther {
		sheet, where = named, column
	}
	rows, err := f.GetRows(sheet)
	ts.Check(err)
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
		column, isComment := strings.CutSuffix(column, "/comment")
		c := slices.Index(rows[header], column)
		if c < 0 {
			ts.Fatalf("no column %q in %s", column, path)
		}
		cell, err := excelize.CoordinatesToCellName(c+1, header+at+2)
		ts.Check(err)
		if isComment {
			comment(ts, f, sheet, cell, value)
			continue
		}
		ts.Check(f.SetCellStr(sheet, cell, value))
	}
	ts.Check(f.Save())
}

// comment adds a text to the comment on a cell.
func comment(ts *testscript.TestScript, f *excelize.File, sheet, cell, text string) {
	all, err := f.GetComments(sheet)
	ts.Check(err)
	before := "Dana:\n"
	for _, c := range all {
		if c.Cell == cell {
			before = c.Text + "\n"
			ts.Check(f.DeleteComment(sheet, cell))
		}
	}
	ts.Check(f.AddComment(sheet, excelize.Comment{Cell: cell, Author: "Dana", Text: before + text}))
}

// answerResults writes answers into the column "What we found" of CSV results: one
// in each row that may be booked, or one for each trip that is named.
func answerResults(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: answer FILE ANSWER, or answer FILE TRIP=ANSWER…, or answer FILE TRIP/HEADER=TEXT…")
	}

	records := readCSV(ts, args[0])
	column := func(name string) int { return slices.Index(records[0], name) }
	for _, arg := range args[1:] {
		trip, answer, named := strings.Cut(arg, "=")
		answered, under := false, "What we found"
		if id, header, elsewhere := strings.Cut(trip, "/"); elsewhere {
			trip, under = id, header
		}
		for _, r := range records[1:] {
			switch {
			case named && (r[column("Trip ID")] == trip || r[column("Trip")] == trip):
				r[column(under)], answered = answer, true
			case !named && strings.HasPrefix(r[column("Status")], "may be booked"):
				r[column("What we found")], answered = arg, true
			}
		}
		if !answered {
			ts.Fatalf("%s has no row for %s", args[0], arg)
		}
	}
	writeCSV(ts, args[0], records)
}

// readCSV returns the records of a CSV file, with or without a byte order mark.
func readCSV(ts *testscript.TestScript, name string) [][]string {
	text := strings.TrimPrefix(ts.ReadFile(name), "\ufeff")
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	ts.Check(err)
	return records
}

// writeCSV writes a CSV file.
func writeCSV(ts *testscript.TestScript, name string, records [][]string) {
	var text strings.Builder
	ts.Check(csv.NewWriter(&text).WriteAll(records))
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text.String()), 0o600))
}

// ageAttempts makes every attempt in the ledger 20 minutes older: "not there" is
// not accepted for a trip that was sent less than 15 minutes ago.
func ageAttempts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: age-attempts")
	}
	ts.Check(ageLedger(ts.MkAbs(filepath.Join("home", "ledger.db"))))
}

func ageLedger(path string) (err error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "UPDATE trips SET claimed_at = strftime('%Y-%m-%dT%H:%M:%f000Z', claimed_at, '-20 minutes') WHERE claimed_at <> ''")
	return err
}

// makeWorkbook makes a workbook of CSV files, one sheet each. A cell "number 7" is
// stored as a number; "=A1" and "=A1 7" are formulas, without a result and with one. A cell
// "^" is merged with the one above it.
// A sheet named -NAME is hidden. Excel has calculated the workbook; after
// -calculate-on-load it asks to be calculated when it is opened.
func makeWorkbook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sheets FILE SHEET=CSV…")
	}

	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	onLoad, engine := args[0] == "-calculate-on-load", uint(191029)
	ts.Check(f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &onLoad, CalcID: &engine}))
	if onLoad {
		args = args[1:]
	}

	for i, arg := range args[1:] {
		name, from, _ := strings.Cut(arg, "=")
		name, hidden := strings.CutPrefix(name, "-")
		if i == 0 {
			ts.Check(f.SetSheetName("Sheet1", name))
		} else {
			_, err := f.NewSheet(name)
			ts.Check(err)
		}
		for r, record := range readCSV(ts, from) {
			cell, err := excelize.CoordinatesToCellName(1, r+1)
			ts.Check(err)
			ts.Check(f.SetSheetRow(name, cell, &record))
			for c, text := range record {
				cell, err := excelize.CoordinatesToCellName(c+1, r+1)
				ts.Check(err)
				setTyped(ts, f, name, cell, text)
			}
		}
		if hidden {
			ts.Check(f.SetSheetVisible(name, false))
		}
	}
	ts.Check(f.SaveAs(ts.MkAbs(args[0])))
}

// setTyped sets a cell that is no plain text: a number, a formula.
func setTyped(ts *testscript.TestScript, f *excelize.File, sheet, cell, text string) {
	number, isNumber := strings.CutPrefix(text, "number ")
	formula, isFormula := strings.CutPrefix(text, "=")
	formula, result, hasResult := strings.Cut(formula, " ")
	switch {
	case isNumber:
		ts.Check(f.SetCellDefault(sheet, cell, number))
	case text == "^":
		ts.Check(f.SetCellValue(sheet, cell, nil))
		col, row, err := excelize.CellNameToCoordinates(cell)
		ts.Check(err)
		above, err := excelize.CoordinatesToCellName(col, row-1)
		ts.Check(err)
		ts.Check(f.MergeCell(sheet, above, cell))
	case isFormula && hasResult:
		ts.Check(f.SetCellDefault(sheet, cell, result))
		style, err := f.NewStyle(&excelize.Style{NumFmt: 20})
		ts.Check(err)
		ts.Check(f.SetCellStyle(sheet, cell, cell, style))
		ts.Check(f.SetCellFormula(sheet, cell, formula))
	case isFormula:
		ts.Check(f.SetCellValue(sheet, cell, nil))
		ts.Check(f.SetCellFormula(sheet, cell, formula))
	}
}

// clearOf requires that no file of a folder has the text.
func clearOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: clear-of TEXT FOLDER")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(args[0])) {
			err = fmt.Errorf("%s has %q", path, args[0])
		}
		return err
	}))
}
