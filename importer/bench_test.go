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
