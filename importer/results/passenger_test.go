package results

import (
	"testing"

	"tripimport/importer"
)

// The columns with a passenger's name are found by the headers of brokers' exports, and those of other people are not.
func TestFindNames(t *testing.T) {
	for _, c := range []struct {
		headers []string
		want    NameColumns
	}{
		{[]string{"Driver First Name", "Member's Last Name", "Member's First Name"}, NameColumns{3, 2, 0}},
		{[]string{"Provider FirstName", "Lastname", "First name"}, NameColumns{3, 2, 0}},
		{[]string{"PickUpAddressName", "Destination Name", "MemberName", "Name"}, NameColumns{2: 3}},
		{[]string{"Facility Name", "Passenger Phone", "Full_Name"}, NameColumns{2: 3}},
		{[]string{"Participant First Name", "Participant Last Name", "Pt. Name"}, NameColumns{1, 2, 3}},
		{[]string{"Client ID", "CLIENT"}, NameColumns{2: 2}},
		{[]string{"MediRoutesClient", "Additional Passengers", "Account Name"}, NameColumns{}},
	} {
		var columns []importer.Column
		for i, h := range c.headers {
			columns = append(columns, importer.Column{Num: i + 1, Header: h})
		}
		if got := FindNames(columns); got != c.want {
			t.Errorf("%q: %v, want %v", c.headers, got, c.want)
		}
	}
}
