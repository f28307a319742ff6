package importer_test

import (
	"testing"

	"tripimport/importer"
)

// BenchmarkIdentity makes the identity of a trip, by which the rows of a file and
// everything that is booked are compared.
func BenchmarkIdentity(b *testing.B) {
	trip := visit(func(*importer.Trip) {})
	b.ReportAllocs()
	for b.Loop() {
		trip.Identity()
	}
}

// BenchmarkSpellings makes the forms by which another spelling of a row's id is found.
func BenchmarkSpellings(b *testing.B) {
	trip := visit(func(*importer.Trip) {})
	key := importer.RowKey{Broker: "Lakeshore Health Plan, nightly export", ID: "L-000123"}
	b.ReportAllocs()
	for b.Loop() {
		key.Spellings(&trip)
	}
}
