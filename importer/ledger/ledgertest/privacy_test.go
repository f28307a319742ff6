package ledgertest

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// privateRow returns a row, and everything in it that a ledger must not show.
func privateRow() (*importer.Mapped, []string) {
	row := Row("Wisteria Plumworth 70411")
	trip := &row.Trips[0]
	trip.ID, row.Key.Broker = "70411-PLUMWORTH", "Wrenfield Brokerage"
	trip.RiderID, trip.FundingSource, trip.Phone = "RIDER-8841-QX", "Quillwort Payers", "312-555-0177"
	trip.Pickup.Name, trip.Pickup.Comment = "Ottoline Vantongeren", "oxygen at the side door"
	trip.Pickup.Address1, trip.Pickup.Address2, trip.Pickup.City, trip.Pickup.Zip = "4711 Larkspur Terrace", "Unit 9Q", "Brambleford", "60699"
	trip.Pickup.Phone = "312-555-0188"
	trip.Pickup.Position = importer.Position{Latitude: 41.778812, Longitude: -88.332211, HasLatitude: true, HasLongitude: true}
	trip.Dropoff = importer.Event{
		CompleteAddress: "77 Hyssop Court, Fernhollow, IL 60688", LocationName: "Juniper Dialysis", Phone: "312-555-0199", Appt: trip.Dropoff.Appt,
	}
	row.Trips[0].Origin = origin{}
	row.Row.Cells = []importer.Cell{{Type: importer.Text, Text: "Zebulon at noonish"}}
	return row, []string{
		"Plumworth", "70411-p", "rider-8841", "rider8841", "Quillwort", "555-0177", "5550177", "Vantongeren", "side door", "Larkspur",
		"4711lark", "Unit 9Q", "Brambleford", "il60699", "555-0188", "5550188", "41.7788", "88.3322", "Hyssop", "Fernhollow", "Juniper", "555-0199", "5550199",
		"Zebulon",
	}
}

// testPrivate does everything that a ledger can do with a trip, and searches the bytes that
// it stored, while it is open and after.
func testPrivate(t *testing.T, f fixture) {
	l := f.Ledger
	row, words := privateRow()
	account := Account("Lakeshore Transit", "api-key-9f8e7d6c")
	run := Run("run-2")
	run.Input = importer.InputInfo{Name: "Marigold Quennell.csv", Hash: "aa11"}
	must(t, l.Begin(t.Context(), run))
	a := Arrival(0)
	a.Broker, a.Name, a.Scopes[0].Pair.FundingSource = row.Key.Broker, run.Input.Name, row.Trips[0].FundingSource
	Arrive(t, l, "run-2", a, row)
	step := Step(t, l, "run-2", row, 0)
	step.Account = account
	trip := Send(t, l, step, Settled(importer.TripUnclear, "")).Trip
	there := effect(t, l, trip, importer.There, importer.TripBooked)
	there.Answer.GUID, there.Answer.Note, there.Answer.Where, there.Meant = "g-visible", "Peregrine says it is there", "Hawthorn.xlsx", true
	must(t, l.Record(t.Context(), there))
	a.Stamp = a.Stamp.Add(1)
	Arrive(t, l, "run-2", a, moved(row, 45))
	change := Change(t, l, "run-2", moved(row, 45), "pickup.pickup_time", "pickup.event_name")
	change.Account = account
	Send(t, l, change, Settled(importer.TripUnclear, ""))
	w := word(t, l, row)
	must(t, l.Record(t.Context(), importer.Effect{
		Answer: importer.Answer{Row: w.Row, Verdict: importer.LeaveIt, Who: "dana", Note: "Peregrine again", At: Noon()},
		Saw:    []importer.LastEvent{{Row: w.Row, Event: w.Event}}, Keep: true, ForRow: true, Meant: true,
	}))
	must(t, l.SetFact(t.Context(), ledger.Fact{Kind: "word", Subject: "Note: Hospice ward", Value: "Tamsin decides", At: Noon()}))
	renewed := Account("Lakeshore Transit", "renewed-key-1a2b3c")
	must(t, l.Rekey(t.Context(), renewed, Dana()))
	words = append(words, "Quennell", "Peregrine", "Hawthorn", "Hospice", "Tamsin", "9f8e7d6c", "renewed-key")

	search(t, f.Stored(t), words, "g-visible") // the GUID is there, so the search finds things
	l = f.Crash(t)
	search(t, f.Stored(t), words, "g-visible")
	if s := standing(t, l, trip); s.TripID != "70411-PLUMWORTH" || s.Broker != row.Key.Broker {
		t.Errorf("the trip came back as %+v", s)
	}
}

// search wants none of the words in what is stored, in any case and in UTF-16 as well, and
// present somewhere in it.
func search(t *testing.T, stored map[string][]byte, words []string, present string) {
	t.Helper()
	found := false
	for name, content := range stored {
		found = found || bytes.Contains(content, []byte(present))
		content = bytes.ToLower(content)
		for _, word := range words {
			word = strings.ToLower(word)
			if bytes.Contains(content, []byte(word)) && !strings.HasSuffix(name, ".key") || bytes.Contains(content, wide(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	if !found {
		t.Errorf("nothing that is stored holds %q", present)
	}
}

func wide(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
