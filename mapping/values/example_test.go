package values_test

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A date that can be read in two ways is read only where its order is declared.
func ExampleDateFormats_Date() {
	undeclared, american := &values.DateFormats{}, &values.DateFormats{Order: "mdy"}
	for _, text := range []string{"2026-12-02", "Dec 2, 2026", "3/4/2026"} {
		if date, bad := undeclared.Date(importer.Text, text); bad == nil {
			fmt.Println(text, "is", date)
		} else {
			fmt.Println(bad.Message)
		}
	}
	date, _ := american.Date(importer.Text, "3/4/2026")
	fmt.Println("month first, it is", date)
	// Output:
	// 2026-12-02 is 2026-12-02
	// Dec 2, 2026 is 2026-12-02
	// "3/4/2026" can be read month first or day first, and the mapping does not say which
	// month first, it is 2026-03-04
}
