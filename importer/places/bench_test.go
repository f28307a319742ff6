package places_test

import (
	"testing"

	"tripimport/importer"
)

// BenchmarkPlace places both events of a trip that was passed to Want.
func BenchmarkPlace(b *testing.B) {
	p := looking(store(b, office))
	trip := importer.Trip{
		Pickup:  line("12 ALDER WAY APT 4, DEARBORN, MI 48124-1234"),
		Dropoff: parts("900 Forge Street", "Ste 300", "Detroit", "MI", "48226"),
	}
	p.Want(&trip)
	b.ReportAllocs()
	for b.Loop() {
		t := trip
		p.Place(&t)
		if t.Faulty() {
			b.Fatal(t.Problems)
		}
	}
}

// BenchmarkRead places both events of a trip that was not.
func BenchmarkRead(b *testing.B) {
	p := looking(store(b, office))
	trip := importer.Trip{
		Pickup:  line("12 ALDER WAY APT 4, DEARBORN, MI 48124-1234"),
		Dropoff: parts("900 Forge Street", "Ste 300", "Detroit", "MI", "48226"),
	}
	b.ReportAllocs()
	for b.Loop() {
		t := trip
		p.Place(&t)
		if t.Faulty() {
			b.Fatal(t.Problems)
		}
	}
}
