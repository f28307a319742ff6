package results

import (
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// Each provider's trips to phone have a sheet, whatever the provider is called.
func TestPhoneSheet(t *testing.T) {
	for _, provider := range []string{"", "Lakeshore Transit", "A/B: [north] 'n' south?", "Lakeshore Transit of the Lower Peninsula", "🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐🚐 Vans of Lansing"} {
		name := phoneSheet(2, provider)
		if n := len(utf16.Encode([]rune(name))); n > excelize.MaxSheetNameLength {
			t.Errorf("%q has %d units", name, n)
		}
		f := excelize.NewFile()
		if _, err := f.NewSheet(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		_ = f.Close() // nothing was written
	}
}
