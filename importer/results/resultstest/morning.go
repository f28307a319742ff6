package resultstest

import (
	"fmt"
	"strings"
	"testing"
)

// AnswerMorning writes answers into a morning workbook, by trip id, as Pat. Each of the
// trips has to be in it.
func AnswerMorning(t testing.TB, path string, answers map[string]string) {
	t.Helper()
	book := OpenWorkbook(t, path)
	answered := map[string]bool{}
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for n, row := range rows {
			if len(row) < 3 {
				continue
			}
			id, _, _ := strings.Cut(row[2], "\n")
			if answers[id] == "" {
				continue
			}
			answered[id] = true
			for column, text := range map[string]string{"I": answers[id], "J": "Pat"} {
				if err := book.SetCellStr(sheet, fmt.Sprint(column, n+1), text); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := book.Save(); err != nil {
		t.Fatal(err)
	}
	if len(answered) != len(answers) {
		t.Fatalf("%d of %d trips are in the morning workbook", len(answered), len(answers))
	}
}
