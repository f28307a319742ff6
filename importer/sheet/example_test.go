package sheet_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/sheet"
)

// writeExample writes a small export into a new folder and gives its path. The
// caller removes the folder.
func writeExample() string {
	folder, err := os.MkdirTemp("", "tripimport-example-")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(folder, "trips.csv")
	content := "Trip;Rider;Pickup\r\n70411;Odalys Brennick;08:30\r\n\r\n70412;\"Peña, Wendell\";\r\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		log.Fatal(err)
	}
	return path
}

// Rows returns every row that is not blank, with the address and type of each
// cell. In a CSV file a row's number is its physical line.
func ExampleOpen() {
	path := writeExample()
	defer os.RemoveAll(filepath.Dir(path))

	f, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	for row, err := range f.Rows() {
		if err != nil {
			log.Fatal(err)
		}
		for i, cell := range row.Cells {
			if cell.Type != importer.Empty {
				fmt.Printf("%s %s %q\n", row.Ref(i+1).A1(), cell.Type, cell.Text)
			}
		}
	}

	// Output:
	// A1 text "Trip"
	// B1 text "Rider"
	// C1 text "Pickup"
	// A2 text "70411"
	// B2 text "Odalys Brennick"
	// C2 text "08:30"
	// A4 text "70412"
	// B4 text "Peña, Wendell"
}

// Inspect describes a file: its kind, its header and its columns.
func ExampleInspect() {
	path := writeExample()
	defer os.RemoveAll(filepath.Dir(path))

	f, err := sheet.Open(path, sheet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	report, err := sheet.Inspect(f, func([]importer.Row) int { return 0 })
	if err != nil {
		log.Fatal(err)
	}

	fmt.Print(report)

	// Output:
	// trips.csv: csv, utf-8, delimiter ;
	// header in row 1, 2 rows below it
	//   A   Trip
	//   B   Rider
	//   C   Pickup
}
