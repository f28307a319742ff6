package places

import "tripimport/importer"

// A Code is a kind of problem that the package finds, by its stable code.
type Code struct {
	Code     string
	Severity importer.Severity
	Meaning  string
}

// Codes gives every kind, in the order of the reference.
func Codes() []Code {
	return []Code{
		{positionUnknown, importer.Fault, "an address that has no coordinates, in the row or anywhere else"},
		{positionAmbiguous, importer.Fault, "an address for which the places list has lines that lie apart"},
		{positionNear, importer.Notice, "an address that a geocoder matched only nearly, where the setting lets that through"},
	}
}
