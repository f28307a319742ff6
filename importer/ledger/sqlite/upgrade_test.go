package sqlite

import (
	gocmp "cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/tables"
)

// oldLedger makes the ledger of schema 1 that is kept in testdata as SQL text,
// which a program of that schema wrote, with its hash key.
func oldLedger(t *testing.T) string { return ledgerOfSchema(t, "v1") }

func ledgerOfSchema(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	key, err := os.ReadFile(filepath.Join("testdata", name+".key"))
	must(t, err)
	write(t, keyPath(path), key)
	text, err := os.ReadFile(filepath.Join("testdata", name+".sql"))
	must(t, err)
	write(t, path, nil)
	executeAt(t, path, string(text))
	return path
}

// oldTrips returns the trips of that ledger, as they were sent.
func oldTrips() map[string]*importer.Trip {
	trips := map[string]*importer.Trip{}
	add := func(id string, row int, change func(*importer.Trip)) {
		t := ledgertest.Trip(id)
		t.Row.Row = row
		change(t)
		trips[id] = t
	}

	same := func(*importer.Trip) {}
	add("only", 2, func(t *importer.Trip) {
		t.Pickup.Name, t.Pickup.Comment, t.Pickup.LocationName, t.Pickup.Address2 = "Home", "side door", "Elm House", "Apt 4"
		t.Pickup.Phone, t.Pickup.Appt = "312-555-0143", t.Pickup.PickupTime
		t.Dropoff.Comment, t.Dropoff.LocationName, t.Dropoff.Address2, t.Dropoff.Phone = "ask at the desk", "Oak Clinic", "Suite 5", "312-555-0144"
		t.BillableDistance = importer.Miles{Value: 12.5, Given: true}
		t.AdditionalRiders = []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}, {SpaceType: "WCH", Count: 2}}
	})
	add("out", 3, func(t *importer.Trip) { t.Leg = importer.OutboundLeg })
	add("back", 3, func(t *importer.Trip) {
		t.Leg, t.Type = importer.ReturnLeg, importer.Return
		t.Pickup.Address1, t.Dropoff.Address1 = t.Dropoff.Address1, t.Pickup.Address1
		t.Pickup.PickupTime.Hour, t.Dropoff.Appt = 15, importer.DateTime{}
	})
	add("third", 4, func(t *importer.Trip) { t.Leg = importer.ThirdLeg })
	add("notsent", 5, same)
	add("noguid", 6, same)
	add("looked", 7, same)
	add("gone", 8, same)
	add("left", 9, same)
	add("line", 10, func(t *importer.Trip) {
		t.Pickup.Address1, t.Pickup.City, t.Pickup.State, t.Pickup.Zip = "", "", "", ""
		t.Pickup.CompleteAddress = "12 Elm St., Springfield, IL 62704-1234"
	})
	add("spot", 11, func(t *importer.Trip) {
		t.Pickup.Address1, t.Pickup.City, t.Pickup.State, t.Pickup.Zip = "", "", "", ""
		t.Pickup.LocationName = "the gate"
	})
	add("plus", 12, func(t *importer.Trip) { t.Dropoff.Zip = "62701-9999" })
	add("call", 13, func(t *importer.Trip) {
		t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, importer.WillCallOn(ledgertest.Night())
	})
	add("sheet", 2, func(t *importer.Trip) { t.Row.Sheet = "Tuesday" })
	return trips
}

// free are the trips of that ledger that may be sent again.
func free(id string) bool { return id == "notsent" || id == "gone" }

// renewedAccount is the account under which that ledger has them.
func renewedAccount() importer.Account {
	account := ledgertest.Lakeshore()
	account.Key = importer.NewSecret("renewed-key-of-lakeshore")
	return account
}

// TestUpgrade opens a ledger of schema 1 in both ways. It must say of its runs and
// trips what it said to the program that wrote it, and of the same trips that
// nothing has changed.
func TestUpgrade(t *testing.T) {
	want, err := os.ReadFile("testdata/v1.txt")
	must(t, err)
	for name, o := range map[string]ledger.Options{"to read": {ReadOnly: true}, "to write": {}} {
		t.Run(name, func(t *testing.T) {
			path := oldLedger(t)
			l, err := openAt(path, o)
			must(t, err)
			defer func() { _ = l.Close() }()
			if diff := cmp.Diff(string(want), describe(t, l)); diff != "" {
				t.Errorf("(-then +now):\n%s", diff)
			}
			ctx := context.Background()
			must(t, l.CheckAccounts(ctx, []importer.Account{renewedAccount()}))
			must(t, l.CheckMoved(ctx, []importer.Account{renewedAccount()}, importer.Access{}, ledgertest.Night()))
			elsewhere := renewedAccount()
			elsewhere.Service = "https://trips.example.test/v1"
			ledgertest.WantError(t, l.CheckMoved(ctx, []importer.Account{elsewhere}, importer.Access{}, ledgertest.Night()), "ledger-service-moved")
			for id, trip := range oldTrips() {
				r, ok, err := l.Find(ctx, renewedAccount(), trip)
				if err != nil || !ok || r.Differs != nil || r.OtherTrip || r.Leg != trip.Leg {
					t.Errorf("%s: found %v, differs %v, leg %s, %v", id, ok, r.Differs, r.Leg.Code(), err)
				}
				r, ok, err = l.FindRow(ctx, "", "aa11", trip)
				if err != nil || ok == free(id) || ok && r.TripID != id {
					t.Errorf("%s by its row: found %v %s, %v", id, ok, r.TripID, err)
				}
				if isNew, err := l.NewRider(ctx, "run-1", renewedAccount(), trip.RiderID); err != nil || isNew == (id == "left") {
					t.Errorf("%s: its rider is new in the first run: %v, %v", id, isNew, err)
				}
			}
		})
	}
}

// describe writes down what a ledger says of its runs and trips.
func describe(t *testing.T, l *Ledger) string {
	t.Helper()
	ctx := context.Background()
	var b strings.Builder
	runs, err := l.Runs(ctx, 0)
	must(t, err)
	for _, r := range runs {
		fmt.Fprintf(&b, "run %s %s ended %s %q live %v inputs %v totals %v\n", r.ID, r.Started.Format(time.RFC3339), r.Ended.Format(time.RFC3339), r.How, r.Live, r.Inputs, storedText(t, r.Totals))
		for e, err := range l.Trips(ctx, r.ID) {
			must(t, err)
			b.WriteString("  " + describeEntry(e))
		}
	}

	open, err := l.Unresolved(ctx)
	must(t, err)
	for _, e := range open {
		b.WriteString("open " + describeEntry(e))
	}
	return b.String()
}

// storedText is the totals as they are stored: by the codes of the states.
func storedText(t *testing.T, totals importer.Totals) string {
	t.Helper()
	text, err := tables.MarshalTotals(totals)
	must(t, err)
	return text
}

func describeEntry(e ledger.Entry) string {
	return fmt.Sprintf("%d %s %s %s leg %q %s guid %q missing %v in flight %v http %d %q attempts %d claimed %s settled %s mapping %s input %s row %d resolved %s by %q at %s note %q\n",
		e.Attempt, e.TripID, e.Account.Provider, e.Date, e.Leg.String(), e.State.Code(), e.GUID, e.GUIDMissing, e.InFlight, e.HTTPStatus, e.Code,
		e.Attempts, e.ClaimedAt.Format(time.RFC3339Nano), e.SettledAt.Format(time.RFC3339Nano), e.MappingHash, e.Input, e.Row,
		gocmp.Or(e.Resolved.String(), "later"), e.ResolvedBy, e.ResolvedAt.Format(time.RFC3339), e.Note)
}

// TestUpgradeKeepsDoubleBookings asks an upgraded ledger about each of its trips
// under another id. It must find those that may be booked, with the negative
// cache and without it, in their old form until they are sent again.
func TestUpgradeKeepsDoubleBookings(t *testing.T) {
	l, err := openAt(oldLedger(t), ledger.Options{})
	must(t, err)
	defer func() { _ = l.Close() }()
	ctx := context.Background()
	for _, cached := range []bool{false, true} {
		if cached {
			fillCache(t, l)
		}
		for id, trip := range oldTrips() {
			again := *trip
			again.ID = "again-" + id
			r, err := l.Similar(ctx, renewedAccount(), &again, 15)
			if err != nil || len(r) == 1 == free(id) || len(r) > 1 || len(r) == 1 && r[0].TripID != id {
				t.Errorf("%s, cached %v: similar %+v, %v", id, cached, r, err)
			}
		}
	}

	// A trip that is sent again is known by its new form alone.
	ledgertest.Begin(t, l, "run-3")
	moved := *oldTrips()["notsent"]
	moved.Dropoff.Address2 = "Suite 9"
	c := ledgertest.Claim("run-3", &moved, 5)
	c.Account = renewedAccount()
	_, err = l.Claim(ctx, c)
	must(t, err)
	for unit, want := range map[string]int{"Suite 9": 1, "Suite 8": 0} {
		asked := moved
		asked.ID, asked.Dropoff.Address2 = "asked", unit
		if r, err := l.Similar(ctx, renewedAccount(), &asked, 15); err != nil || len(r) != want {
			t.Errorf("%s: similar %+v, %v, want %d", unit, r, err, want)
		}
	}
}

// TestUpgradeRefusesAgain claims what was booked before the upgrade, under its
// own id and as another trip of its row.
func TestUpgradeRefusesAgain(t *testing.T) {
	l, err := openAt(oldLedger(t), ledger.Options{})
	must(t, err)
	defer func() { _ = l.Close() }()
	ledgertest.Begin(t, l, "run-3")
	for id, trip := range oldTrips() {
		c := ledgertest.Claim("run-3", trip, trip.Row.Row)
		c.Account = renewedAccount()
		if _, err := l.Claim(context.Background(), c); free(id) != (err == nil) || err != nil && !errors.Is(err, importer.ErrClaimed) {
			t.Errorf("%s: claiming it gave %v", id, err)
		}
		trip.ID = "other-" + id
		if _, err := l.Claim(context.Background(), c); !errors.Is(err, importer.ErrClaimed) {
			t.Errorf("%s: claiming its row gave %v", id, err)
		}
	}
}

// TestUpgradeBehindABackup looks for the backup that an upgrade makes: it must
// be the old ledger, and there must be none where the upgrade failed or where
// there was nothing to upgrade.
func TestUpgradeBehindABackup(t *testing.T) {
	path := oldLedger(t)
	backups := func() []string {
		files, err := filepath.Glob(path + ".schema1.*")
		must(t, err)
		slices.Sort(files)
		return files
	}

	steps, err := hooks{}.schema()
	must(t, err)
	broken := options{hooks: hooks{steps: append(slices.Clone(steps), "CREATE TABLE half (")}}
	if l, err := open(context.Background(), path, broken); err == nil {
		_ = l.Close()
		t.Error("a broken step was taken")
	}

	if left := backups(); len(left) != 0 || schemaOf(t, path) != 1 {
		t.Errorf("after an upgrade that failed the ledger has schema %d, beside it are %v", schemaOf(t, path), left)
	}

	for range 2 {
		l, err := openAt(path, ledger.Options{})
		must(t, err)
		must(t, l.Close())
	}

	left := backups()
	if len(left) != 2 || left[1] != left[0]+".key" || schemaOf(t, left[0]) != 1 || schemaOf(t, path) != len(steps) {
		t.Fatalf("beside the ledger of schema %d are %v", schemaOf(t, path), left)
	}

	_, err = openAt(left[0], ledger.Options{})
	ledgertest.WantError(t, err, "ledger-backup")
	if schemaOf(t, left[0]) != 1 {
		t.Error("the backup was upgraded although it was refused")
	}

	reader, err := openAt(left[0], ledger.Options{ReadOnly: true})
	must(t, err)
	if r, ok, err := reader.Find(context.Background(), renewedAccount(), oldTrips()["only"]); err != nil || !ok || r.Differs != nil {
		t.Errorf("the backup has %+v, %v, %v", r, ok, err)
	}

	must(t, reader.Close())
}

// TestRemove removes a ledger that was upgraded, and nothing else of its folder.
func TestRemove(t *testing.T) {
	path := oldLedger(t)
	write(t, filepath.Join(filepath.Dir(path), "trips.jsonl"), nil)
	for range 2 { // the second time there is nothing to remove
		l, err := openAt(path, ledger.Options{})
		if err == nil {
			must(t, l.Close())
		}
		must(t, Remove(path))
		left, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(left) != 1 || left[0].Name() != "trips.jsonl" {
			t.Errorf("left are %v, %v", left, err)
		}
	}
}

func schemaOf(t *testing.T, path string) (schema int) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, "ro"))
	must(t, err)
	must(t, db.QueryRowContext(context.Background(), "PRAGMA user_version").Scan(&schema))
	must(t, db.Close())
	return schema
}

// TestUpgradeOfTwoServices upgrades a ledger that has trips of two services: they are
// two systems, as they always were, and a third address is asked about.
func TestUpgradeOfTwoServices(t *testing.T) {
	path := oldLedger(t)
	executeAt(t, path, `INSERT INTO accounts (id, service, provider, name, api_key) VALUES (99, 'https://staging.example.test/v1', 'X', 'x', x'00');
		UPDATE trips SET account = 99 WHERE trip_id = 'third'`)
	l := reopen(t, path)
	for address, code := range map[string]string{
		renewedAccount().Service: "", "https://staging.example.test/v1": "", "https://trips.example.test/v1": "ledger-service-moved",
	} {
		account := renewedAccount()
		account.Service = address
		err := l.CheckMoved(context.Background(), []importer.Account{account}, importer.Access{Providers: []importer.Provider{{Name: "X"}}}, ledgertest.Night())
		if code != "" {
			ledgertest.WantError(t, err, code)
		} else if err != nil {
			t.Errorf("%s is refused: %v", address, err)
		}
	}
}

// TestUpgradeKnowsRows asks an upgraded ledger about the rows of its trips: with
// another number of trips, with their ids spelt otherwise, and with new ids.
func TestUpgradeKnowsRows(t *testing.T) {
	l := reopen(t, oldLedger(t))
	ctx := context.Background()
	service := renewedAccount().Service
	var broker string
	must(t, l.Readers.QueryRowContext(ctx, "SELECT mapping FROM runs LIMIT 1").Scan(&broker))

	only := *oldTrips()["only"]
	out, back := only, only
	out.ID, out.Leg, out.Type = "only-A", importer.OutboundLeg, importer.Return
	back.ID, back.Leg, back.Pickup, back.Dropoff = "only-B", importer.ReturnLeg, only.Dropoff, only.Pickup
	key := importer.RowKey{Broker: broker, ID: "only", TripID: "only"}
	for name, c := range map[string]struct {
		trips   []importer.Trip
		matched []string
	}{
		"one trip":          {[]importer.Trip{only}, []string{"only"}},
		"two trips":         {[]importer.Trip{out, back}, []string{"only", ""}},
		"two the other way": {[]importer.Trip{back, out}, []string{"", "only"}},
	} {
		found, err := l.RowTrips(ctx, service, &importer.Mapped{Key: key, Trips: c.trips})
		must(t, err)
		for i, rec := range found.Matched {
			if (rec == nil) != (c.matched[i] == "") || rec != nil && rec.TripID != c.matched[i] || found.Unclear[i] != nil {
				t.Errorf("%s: trip %d is %+v, unclear %+v", name, i, rec, found.Unclear[i])
			}
		}
	}

	other, tomorrow := only, only
	other.RiderID = "R-other"
	tomorrow.Pickup.PickupTime.Date, tomorrow.Dropoff.Appt.Date = only.Date().AddDays(1), only.Date().AddDays(1)
	spelt, same := importer.RowKey{Broker: broker, ID: "ONLY.", TripID: "ONLY."}, key
	otherBroker := spelt
	otherBroker.Broker = "Prairie"
	for name, c := range map[string]struct {
		key  importer.RowKey
		trip importer.Trip
		want int
	}{
		"spelt otherwise": {spelt, only, 1}, "another rider": {spelt, other, 0}, "another day": {spelt, tomorrow, 0},
		"another broker": {otherBroker, only, 0}, "the same row": {same, only, 0},
	} {
		if found, err := l.Respelt(ctx, service, c.key, &c.trip); err != nil || len(found) != c.want {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}

	for id, trip := range oldTrips() {
		moved := *trip
		moved.ID, moved.Type = "new", importer.Return
		moved.Pickup.PickupTime.TimeOfDay, moved.Dropoff.Appt = importer.TimeOfDay{Hour: 20}, importer.DateTime{}
		found, err := l.SameDay(ctx, renewedAccount(), &moved)
		if err != nil || slices.ContainsFunc(found, func(r importer.Record) bool { return r.TripID == id }) == free(id) {
			t.Errorf("%s moved: %+v, %v", id, found, err)
		}
	}
}

// TestUpgradeKeepsRowsOfOpenTrips takes an answer back about a trip that was free when
// its ledger was upgraded: it is booked again, from its row.
func TestUpgradeKeepsRowsOfOpenTrips(t *testing.T) {
	l := reopen(t, oldLedger(t))
	ctx := context.Background()
	gone := oldTrips()["gone"]
	r, _, err := l.Find(ctx, renewedAccount(), gone)
	must(t, err)
	must(t, l.Resolve(ctx, ledger.Resolution{Attempt: r.Attempt, Verdict: importer.There, Who: "dana", When: ledgertest.Noon().Add(1)}))
	var broker string
	must(t, l.Readers.QueryRowContext(ctx, "SELECT mapping FROM runs LIMIT 1").Scan(&broker))
	key := importer.RowKey{Broker: broker, ID: "gone", TripID: "gone"}
	found, err := l.RowTrips(ctx, renewedAccount().Service, &importer.Mapped{Key: key, Trips: []importer.Trip{*gone}})
	if err != nil || found.Matched[0] == nil || found.Matched[0].TripID != "gone" {
		t.Errorf("got %+v, %v", found, err)
	}
}

// TestUpgradeKeepsAcceptedValues opens a ledger of schema 7 in which a person said of
// trips that they were changed by hand, and took one answer back: what counted as
// booked then counts as booked.
func TestUpgradeKeepsAcceptedValues(t *testing.T) {
	ctx := context.Background()
	path := oldLedger(t)
	key, err := readKey(path)
	must(t, err)
	hashes, err := keyed.New(key.Key)
	must(t, err)
	steps, err := hooks{}.schema()
	must(t, err)
	db, conn, err := openWriter(ctx, path)
	must(t, err)
	must(t, migrate(ctx, conn, steps[:7], 1, hashes))

	changed := func(id string) *importer.Trip {
		trip := oldTrips()[id]
		trip.Dropoff.Name, trip.SpaceType = "Dr. Hazel", "WCH"
		return trip
	}
	for _, id := range []string{"only", "out"} {
		f := hashes.Fingerprint(changed(id))
		for _, statement := range []string{
			"INSERT OR IGNORE INTO texts (text) VALUES (?1)",
			`INSERT INTO resolutions (attempt, account, verdict, state, cancelled, guid, layout, properties, who, resolved_at)
				SELECT t.attempt, t.account, 'done by hand', 'created', 0, 'g-hand-' || ?3, (SELECT id FROM texts WHERE text = ?1), ?2, 'dana', '2026-12-01T18:00:00.000000Z'
				FROM trips t WHERE t.trip_id = ?3`,
			"UPDATE trips SET resolution = (SELECT MAX(id) FROM resolutions) WHERE trip_id = ?3",
		} {
			_, err := conn.ExecContext(ctx, statement, f.Keys, f.Hashes, id)
			must(t, err)
		}
	}
	must(t, errors.Join(conn.Close(), db.Close()))

	for _, name := range []string{"to read", "to write"} {
		o := ledger.Options{ReadOnly: name == "to read"}
		l, err := openAt(path, o)
		must(t, err)
		for _, id := range []string{"only", "out", "back"} {
			accepted, as := oldTrips()[id], oldTrips()[id]
			if id != "back" {
				accepted = changed(id)
			} else {
				as = changed(id)
			}
			r, ok, err := l.Find(ctx, renewedAccount(), accepted)
			if err != nil || !ok || r.Differs != nil || r.MappingHash == "" || id != "back" && r.GUID != "g-hand-"+id {
				t.Errorf("%s, %s: %+v, %v, %v", name, id, r, ok, err)
			}
			if r, _, err := l.Find(ctx, renewedAccount(), as); err != nil || len(r.Differs) != 2 {
				t.Errorf("%s, %s, otherwise: %v, %v", name, id, r.Differs, err)
			}
		}
		if o.ReadOnly {
			must(t, l.Close())
			continue
		}

		// A change goes on from there.
		ledgertest.Begin(t, l, "run-9")
		r, _, err := l.Find(ctx, renewedAccount(), changed("only"))
		must(t, err)
		again := changed("only")
		again.SpaceType = "STR"
		ledgertest.SendChange(t, l, ledgertest.Change("run-9", r.Attempt, again, "space_type"), importer.Updated)
		if r, _, err := l.Find(ctx, renewedAccount(), again); err != nil || r.Differs != nil {
			t.Errorf("after a change: %v, %v", r.Differs, err)
		}
		must(t, l.Close())
	}
}

// TestUpgradeKnowsSpeltPlaces asks a ledger of schema 7, which knew places by their
// words as they are spelt, about its trips: as they were sent, under new ids, and as
// round trips. A program of that schema wrote it.
func TestUpgradeKnowsSpeltPlaces(t *testing.T) {
	l := reopen(t, ledgerOfSchema(t, "v7"))
	ctx := context.Background()
	old := ledgertest.Trip("R9")
	old.Pickup.Address1, old.Pickup.Address2, old.Dropoff.Address1 = "12 North Alder Court", "Apartment 4", "400 Oak Avenue"
	if r := ledgertest.Find(t, l, old); r.Differs != nil {
		t.Errorf("the same trip differs in %v", r.Differs)
	}

	again := *old
	again.ID = "R11"
	found, err := l.Similar(ctx, ledgertest.Lakeshore(), &again, 15)
	if err != nil || len(found) != 1 || found[0].TripID != "R9" {
		t.Errorf("under a new id: %+v, %v", found, err)
	}
	again.Pickup.PickupTime.Hour, again.Dropoff.Appt.Hour = 14, 15
	found, err = l.SameDay(ctx, ledgertest.Lakeshore(), &again)
	if err != nil || len(found) != 1 || found[0].TripID != "R9" {
		t.Errorf("under a new id at another time: %+v, %v", found, err)
	}
	otherUnit := again
	otherUnit.Pickup.Address2 = "Apartment 5"
	if found, err = l.SameDay(ctx, ledgertest.Lakeshore(), &otherUnit); err != nil || len(found) != 0 {
		t.Errorf("from another apartment: %+v, %v", found, err)
	}

	out, back := *old, *old
	out.ID, out.Leg = "R9-A", importer.OutboundLeg
	back.ID, back.Leg, back.Pickup, back.Dropoff = "R9-B", importer.ReturnLeg, old.Dropoff, old.Pickup
	row, err := l.RowTrips(ctx, ledgertest.Lakeshore().Service, &importer.Mapped{
		Key: importer.RowKey{Broker: "Alpha", ID: "R9", TripID: "R9", Date: ledgertest.Night()}, Trips: []importer.Trip{back, out},
	})
	if err != nil || row.Matched[0] != nil || row.Matched[1] == nil || row.Unclear[0] != nil {
		t.Errorf("as a round trip: %+v, %v", row, err)
	}

	v, err := l.Decided(ctx, importer.Decision{Question: importer.AskDoubleBooking, Trip: old})
	if err != nil || v != importer.Meant {
		t.Errorf("what was decided: %v %v", v, err)
	}

	// What is booked since then is found however it is spelt.
	ledgertest.Begin(t, l, "run-2")
	now := *old
	now.ID, now.RiderID = "R20", "R-20"
	ledgertest.Book(t, l, ledgertest.Claim("run-2", &now, 9), "guid-R20")
	now.ID, now.Pickup.Address1, now.Pickup.Address2, now.Dropoff.Address1 = "R21", "12 N. Alder Ct", "#4", "400 OAK AVE"
	if found, err = l.Similar(ctx, ledgertest.Lakeshore(), &now, 15); err != nil || len(found) != 1 || len(found[0].Differs) != 1 {
		t.Errorf("spelt otherwise: %+v, %v", found, err)
	}
}
