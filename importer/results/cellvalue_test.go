package results

import (
	"testing"

	"tripimport/importer"
)

func TestSerials(t *testing.T) {
	for text, want := range map[string]float64{
		"1900-01-01": 1, "1900-02-28": 59, "1900-03-01": 61, "2026-12-02": 46358, "2026-12-02T08:30:00": 46358 + 8.5/24,
	} {
		if got, ok := dateSerial(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]float64{"26:15:00": 26.25 / 24, "08:30": 8.5 / 24, "-01:00:00": -1.0 / 24} {
		if got, ok := timeSerial(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"TBD", "8", "1:2:3:4", "x:y"} {
		if _, ok := timeSerial(text); ok {
			t.Errorf("%s was taken for a time", text)
		}
	}
	if v, _ := cellValue(importer.Cell{Type: importer.DateCell, Text: "TBD"}); v != nil {
		t.Errorf("an unreadable date became %v", v)
	}
}
