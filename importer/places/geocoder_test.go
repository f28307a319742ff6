package places_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/places"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T) *fakeGeocoder {
	t.Helper()
	s, err := startFakeGeocoder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// geocoders returns every kind of geocoder, all with the fake server.
func geocoders(t *testing.T, s *fakeGeocoder) map[string]*places.Geocoder {
	t.Helper()
	all := map[string]*places.Geocoder{}
	for _, name := range places.Kinds() {
		path := map[string]string{"census": "/geocoder"}[name]
		g, err := places.NewGeocoder(name, s.URL+path, importer.NewSecret("key-1"))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = g
	}
	return all
}

func agree(string, int) (bool, error) { return true, nil }

// empty returns a store without entries.
func empty(t testing.TB) *places.Store {
	t.Helper()
	s, err := places.Open(filepath.Join(t.TempDir(), "places"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asking returns a Places that asks a geocoder, of whose answers an empty store knows none.
func asking(t *testing.T, g *places.Geocoder) *places.Places {
	return places.New(empty(t), g, agree).Hurry()
}

// prepare wants the addresses as pickups and calls Prepare.
func prepare(t *testing.T, p *places.Places, events ...importer.Event) {
	t.Helper()
	for _, e := range events {
		p.Want(&importer.Trip{Pickup: e})
	}
	if err := p.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestGeocodersAnswer(t *testing.T) {
	s := start(t)
	for name, g := range geocoders(t, s) {
		t.Run(name, func(t *testing.T) {
			p, before := asking(t, g), s.addresses()
			plain := line("12 Alder Way, Dearborn, MI 48124")
			again := parts("12 ALDER WAY", "Apt 4", "Dearborn", "MI", "48124-1234")
			nowhere, double := line("3 Nowhere Ln, Dearborn, MI 48124"), line("3 Double Ln, Dearborn, MI 48124")
			roughly, midway := line("3 Roughly Ln, Dearborn, MI 48124"), line("3 Midway Ln, Dearborn, MI 48124")
			prepare(t, p, plain, again, nowhere, double, roughly, midway, line("P.O. Box 7, Dearborn, MI 48124"))
			got, problems := placed(p, plain)
			if !got.IsSet() || got.Source != name || problems != nil {
				t.Errorf("plain: %v, %v", got, problems)
			}
			if same, _ := placed(p, again); same != got {
				t.Errorf("the same address is at %v and %v", got, same)
			}
			for _, e := range []importer.Event{nowhere, double, roughly, midway} {
				if got, problems := placed(p, e); got.IsSet() || len(problems) != 1 {
					t.Errorf("%s: %v, %v", e.Address(), got, problems)
				}
			}
			if n := s.addresses() - before; n != 5 {
				t.Errorf("it was asked about %d addresses", n)
			}
		})
	}
}

// TestPassingFailures holds that a request that fails for a while is repeated,
// and no answer is lost.
func TestPassingFailures(t *testing.T) {
	s := start(t)
	first, second := line("12 Alder Way, Dearborn, MI 48124"), line("14 Alder Way, Dearborn, MI 48124")
	for name, g := range geocoders(t, s) {
		for what, injection := range map[string]fakeFailure{
			"slow": {Times: 1, Slow: 20 * time.Millisecond}, "500": {Times: 1, Status: 500}, "429": {Times: 1, Status: 429},
			"page": {Times: 1, HTML: true}, "cut": {Times: 1, Cut: true},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				s.inject(injection)
				defer s.inject(fakeFailure{})
				p := asking(t, g)
				prepare(t, p, first, second)
				for _, e := range []importer.Event{first, second} {
					if got, problems := placed(p, e); !got.IsSet() {
						t.Error(problems)
					}
				}
			})
		}
	}
}

// TestLastingFailures holds that a geocoder that keeps failing ends no run, and
// that the problems say why.
func TestLastingFailures(t *testing.T) {
	s := start(t)
	e := line("12 Alder Way, Dearborn, MI 48124")
	for name, g := range geocoders(t, s) {
		for _, tc := range []struct {
			injection fakeFailure
			want      string
		}{
			{fakeFailure{Status: 503}, "answers with status 503"},
			{fakeFailure{HTML: true}, "answers with something other than addresses"},
			{fakeFailure{Status: 403}, "does not accept the key"},
			{fakeFailure{Status: 302}, "answers with status 302"},
			{fakeFailure{Cut: true}, "broke off its answer"},
		} {
			s.inject(tc.injection)
			before := len(s.received())
			p := asking(t, g)
			prepare(t, p, e)
			_, problems := placed(p, e)
			if len(problems) != 1 || !strings.Contains(problems[0].Message, tc.want) {
				t.Errorf("%s, %+v: %v", name, tc.injection, problems)
			}
			if got := len(s.received()) - before; got != 2 {
				t.Errorf("%s, %+v: %d requests", name, tc.injection, got)
			}
		}
		s.inject(fakeFailure{})
	}
}

func TestHalfABatch(t *testing.T) {
	s := start(t)
	s.inject(fakeFailure{Half: true})
	p := asking(t, geocoders(t, s)["census"])
	prepare(t, p, line("12 Alder Way, Dearborn, MI 48124"), line("14 Alder Way, Dearborn, MI 48124"),
		line("16 Alder Way, Dearborn, MI 48124"), line("18 Alder Way, Dearborn, MI 48124"))
	_, problems := placed(p, line("18 Alder Way, Dearborn, MI 48124"))
	if n := len(p.Unplaced()); n != 2 || len(problems) != 1 || !strings.Contains(problems[0].Message, "gave no answer") {
		t.Errorf("%d without an answer, %v", n, problems)
	}
}

func TestInterrupted(t *testing.T) {
	s := start(t)
	s.inject(fakeFailure{Slow: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	p := asking(t, geocoders(t, s)["nominatim"])
	p.Want(&importer.Trip{Pickup: line("12 Alder Way, Dearborn, MI 48124")})
	if err := p.Prepare(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestOnlyAddressesLeave puts values into every other field, and searches for them
// in everything that was sent to the geocoders.
func TestOnlyAddressesLeave(t *testing.T) {
	s := start(t)
	full := func(e importer.Event) importer.Event {
		e.Name, e.LocationName, e.Comment, e.Phone = "PlantedName", "PlantedPlace", "PlantedComment", "3135550199"
		e.Appt = importer.DateTime{Date: importer.Date{Year: 2031, Month: 7, Day: 19}, TimeOfDay: importer.TimeOfDay{Hour: 13, Minute: 37}}
		e.PickupTime = e.Appt
		return e
	}
	for name, g := range geocoders(t, s) {
		p := asking(t, g)
		for i, e := range []importer.Event{
			line("PlantedClinic, 12 Alder Way, Dearborn, MI 48124"),
			line("14 Alder Way, c/o PlantedFriend, Dearborn, MI 48124"),
			line("15 Alder Way Attn PlantedFriend, Dearborn, MI 48124"),
			line("16 Alder Way (PlantedAside), Dearborn, MI 48124"),
			parts("18 Alder Way", "PlantedNote by the lake", "Dearborn", "MI", "48124"),
			parts("PlantedHouse", "20 Alder Way", "Dearborn", "MI", "48124"),
			parts("22 Alder Way PlantedFriend", "", "Dearborn", "MI", "48124"),
			parts("24 Alder Way", "Apt PlantedUnit", "Dearborn", "MI", "48124"),
		} {
			trip := importer.Trip{
				ID: fmt.Sprint("PlantedTrip", i), RiderID: "PlantedRider", Provider: "PlantedProvider",
				FundingSource: "PlantedPayer", Phone: "3135550198", Link: "PlantedLink", SpaceType: "PLANTED",
				Pickup: full(e), Dropoff: full(line("9 Birch St, Detroit, MI 48226")),
			}
			p.Want(&trip)
		}
		if err := p.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(p.Unplaced()); n > 3 {
			t.Errorf("%s was hardly asked: %d have no position; startFakeGeocoder answers each kind", name, n)
		}
	}
	for _, r := range s.received() {
		sent := r.Target + "\n" + string(r.Body)
		for k, vs := range r.Header {
			sent += "\n" + k + ": " + strings.Join(vs, " ")
		}
		for _, planted := range []string{"planted", "31355501", "2031", "13:37", "07-19", "7/19"} {
			if strings.Contains(strings.ToLower(sent), planted) {
				t.Errorf("%q left the building: %s", planted, sent)
			}
		}
		if !strings.Contains(strings.ToLower(sent), "alder") && !strings.Contains(strings.ToLower(sent), "birch") {
			t.Errorf("no address in %s", sent)
		}
	}
}

func TestNothingLeavesWithoutConsent(t *testing.T) {
	s := start(t)
	e := line("12 Alder Way, Dearborn, MI 48124")
	kept := empty(t)
	asked := 0
	consent := func(answer bool) places.Consent {
		return func(geocoder string, addresses int) (bool, error) {
			asked++
			if geocoder != "census" || addresses != 1 {
				t.Errorf("asked for %s, %d", geocoder, addresses)
			}
			return answer, nil
		}
	}
	census := geocoders(t, s)["census"]
	for _, consent := range []places.Consent{nil, consent(false)} {
		p := places.New(kept, census, consent).Hurry()
		prepare(t, p, e)
		if _, problems := placed(p, e); len(problems) != 1 || !strings.Contains(problems[0].Message, "nobody has agreed") {
			t.Error(problems)
		}
	}
	if n := len(s.received()); n != 0 {
		t.Errorf("%d requests", n)
	}
	prepare(t, places.New(kept, census, consent(true)).Hurry(), e)
	prepare(t, places.New(kept, census, consent(false)).Hurry(), line("14 Alder Way, Dearborn, MI 48124"))
	if n := len(s.received()); n != 2 || asked != 2 {
		t.Errorf("%d requests, asked %d times", n, asked)
	}
}

func TestGeocoderSettings(t *testing.T) {
	key := importer.NewSecret("key-1")
	for _, tt := range []struct {
		kind, base string
		key        importer.Secret
		wrong      string // empty for what is right
	}{
		{"census", "http://geo.example.com", key, "https"},
		{"census", "geo.example.com", key, "https"},
		{"census", "ftp://localhost", key, "https"},
		{"nominatim", "", key, "no https address"},
		{"nominatim", "https://nominatim.openstreetmap.org", key, "public Nominatim"},
		{"geocodio", "", importer.Secret{}, "needs a key"},
		{"census", "", importer.Secret{}, ""},
		{"census", "https://geo.example.com/api", importer.Secret{}, ""},
		{"nominatim", "http://localhost:4000", importer.Secret{}, ""},
		{"nominatim", "http://127.0.0.1:1", importer.Secret{}, ""},
		{"geocodio", "", key, ""},
	} {
		_, err := places.NewGeocoder(tt.kind, tt.base, tt.key)
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s at %q: got %v, want %q", tt.kind, tt.base, err, tt.wrong)
		}
	}
}

// TestFourThousandAddresses has the size of a large night: 50,000 rows with 4,000
// addresses, of which the list has half.
func TestFourThousandAddresses(t *testing.T) {
	const rows, addresses = 50_000, 4_000
	s := start(t)
	var lines strings.Builder
	lines.WriteString(header)
	for i := range addresses / 2 {
		fmt.Fprintf(&lines, "%d Alder Way,Dearborn,MI,48124,42.3001,-83.2\n", 100+i)
	}
	kept := store(t, lines.String())
	trip := func(row int) importer.Trip {
		number := 100 + row*7%addresses
		return importer.Trip{
			Pickup:  parts(fmt.Sprint(number, " Alder Way"), "", "Dearborn", "MI", "48124"),
			Dropoff: parts(fmt.Sprint(100+(number+1)%addresses, " Alder Way"), "", "Dearborn", "MI", "48124"),
		}
	}
	run := func() (asked int) {
		before, began := s.addresses(), time.Now()
		p := places.New(kept, geocoders(t, s)["census"], agree).Hurry()
		for row := range rows {
			tr := trip(row)
			p.Want(&tr)
		}
		wanted := time.Since(began)
		if err := p.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		prepared := time.Since(began) - wanted
		for row := range rows {
			tr := trip(row)
			if p.Place(&tr); tr.Faulty() {
				t.Fatal(tr.Problems)
			}
		}
		t.Logf("%d rows: wanted in %v, prepared in %v, placed in %v", rows,
			wanted.Round(time.Millisecond), prepared.Round(time.Millisecond), (time.Since(began) - wanted - prepared).Round(time.Millisecond))
		return s.addresses() - before
	}
	if first := run(); first == 0 || first > addresses/2+2 {
		t.Errorf("first run: the geocoder was asked about %d", first)
	}
	if second := run(); second != 0 {
		t.Errorf("second run: the geocoder was asked about %d", second)
	}
}
