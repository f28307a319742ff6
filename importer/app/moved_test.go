package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
)

// A relisted is a service at one address whose list of providers changes.
type relisted struct {
	box atomic.Pointer[sandbox.Sandbox]
}

func (r *relisted) ServeHTTP(w http.ResponseWriter, q *http.Request) { r.box.Load().ServeHTTP(w, q) }

// list lets the token use these providers, and no others.
func (r *relisted) list(o *fixture, providers ...string) {
	o.Helper()
	box, err := sandbox.New(sandbox.Config{OnRequest: func(op sandbox.Operation, _ []byte) {
		if op == sandbox.Insert {
			o.inserts.Add(1)
		}
	}})
	o.must(err)
	for _, p := range providers {
		box.Allow(p, "Harborview Health")
	}
	r.box.Store(box)
}

// TestProviderMoved imports trips of a provider, and then the same trips, 20 minutes
// later, of a provider that the ledger does not know.
func TestProviderMoved(t *testing.T) {
	const old, renamed = "Lakeshore Transit", "Lakeshore Mobility"
	later := strings.NewReplacer(old, renamed, "8:30", "8:50", "9:15", "9:35", "9:00", "9:20", "10:00", "10:20", "1:00", "1:20").Replace(goodRows)
	for name, tt := range map[string]struct {
		lists []string
		rows  string
		today string
		want  app.Status
		sent  int32 // trips in all
	}{
		"renamed":                      {[]string{renamed, "Prairie Wheels"}, later, "2026-12-01", app.FixRows, 3},
		"renamed, with other trip ids": {[]string{renamed}, strings.ReplaceAll(later, "T-", "U-"), "2026-12-01", app.NeedsPerson, 3}, // possible double bookings
		"another one with other trips": {[]string{renamed}, strings.NewReplacer("T-", "U-", "R-", "S-").Replace(later), "2026-12-01", app.Done, 6},
		"a second provider":            {[]string{old, renamed}, strings.NewReplacer("T-", "U-", "R-", "S-").Replace(later), "2026-12-01", app.Done, 6},
		"after all its trips":          {[]string{renamed}, strings.NewReplacer("12/2/", "12/4/", "T-", "U-").Replace(later), "2026-12-03", app.Done, 6},
	} {
		t.Run(name, func(t *testing.T) {
			o := newFixture(t, goodRows)
			var s relisted
			s.list(o, old)
			server := httptest.NewServer(&s)
			t.Cleanup(server.Close)
			o.env["TRIPIMPORT_BASE_URL"] = server.URL
			o.newLedger()
			o.must(o.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "schedule.csv"))

			s.list(o, tt.lists...)
			o.write("schedule.csv", header+tt.rows)
			err := o.app().Import(context.Background(), app.Options{Today: tt.today}, app.Silent{}, "schedule.csv")
			if got := app.StatusOf(err); got != tt.want || o.inserts.Load() != tt.sent {
				t.Errorf("status %d, want %d; %d trips sent, want %d: %v", got, tt.want, o.inserts.Load(), tt.sent, err)
			}
		})
	}
}

// TestAddressMoved imports at an address that the ledger does not know.
func TestAddressMoved(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	options := app.Options{Today: "2026-12-01"}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))
	sent := o.inserts.Load()

	o.env["TRIPIMPORT_BASE_URL"] = strings.Replace(o.env["TRIPIMPORT_BASE_URL"], "127.0.0.1", "localhost", 1)
	o.write("schedule.csv", header+otherRows)
	r := &recorder{T: t}
	err := o.app().Import(context.Background(), options, r, "schedule.csv")
	if got := app.StatusOf(err); got != app.NotSetUp || o.inserts.Load() != sent || len(r.calls) > 0 {
		t.Errorf("status %d, %d trips sent, events %v: %v", got, o.inserts.Load()-sent, r.calls, err)
	}
	o.must(o.app().Check(context.Background(), options, app.Silent{}, "schedule.csv")) // it sends nothing
	rehearsal := options
	rehearsal.Rehearsal = true
	o.must(o.app().Import(context.Background(), rehearsal, app.Silent{}, "schedule.csv"))
}

// TestRehearsalsOfProviders rehearses files of two providers, one after the other:
// nobody is asked whether they are one.
func TestRehearsalsOfProviders(t *testing.T) {
	o := newFixture(t, goodRows)
	options := app.Options{Rehearsal: true}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))
	o.write("schedule.csv", header+strings.ReplaceAll(otherRows, "Lakeshore Transit", "Prairie Wheels"))
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))
}
