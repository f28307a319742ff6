package resultstest

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// AnswerMorning writes answers into a morning workbook, by trip id, as Pat. Each of the
// trips has to be in it.
func AnswerMorning(t testing.TB, path string, answers map[string]string) {
	t.Helper()
	book := OpenWorkbook(t, path)
	for id, answer := range answers {
		answered := false
		for _, sheet := range book.GetSheetList() {
			found, err := book.SearchSheet(sheet, "^"+regexp.QuoteMeta(id)+"(\n|$)", true)
			for _, cell := range found {
				row := strings.TrimPrefix(cell, "C")
				answered = true
				err = errors.Join(err, book.SetCellStr(sheet, "I"+row, answer), book.SetCellStr(sheet, "J"+row, "Pat"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !answered {
			t.Fatalf("trip %s is not in the morning workbook", id)
		}
	}
	if err := book.Save(); err != nil {
		t.Fatal(err)
	}
}
