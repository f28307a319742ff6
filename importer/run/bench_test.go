package run_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// A free stage does nothing, so that only the run itself is measured.
type free struct {
	noRows
	noChanges
}

func (free) Change(context.Context, importer.Secret, importer.TripChange) importer.Reply {
	return importer.Reply{}
}

func (free) Insert(context.Context, importer.Secret, *importer.Trip) importer.Reply {
	return importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: "guid"}
}
func (free) Access(context.Context) (importer.Access, error) { return lakeshore(), nil }
func (free) Renew(context.Context) (bool, error)             { return false, nil }
func (free) CloseIdle()                                      {}

func (free) Wait(context.Context) error { return nil }
func (free) Report(importer.Reply)      {}
func (free) Stop(*importer.Stop)        {}
func (free) Stopped() *importer.Stop    { return nil }
func (free) Unused()                    {}

func (free) Identity() string                              { return "" }
func (free) Begin(context.Context, importer.RunInfo) error { return nil }
func (free) End(context.Context, string, importer.Totals, time.Time, string, ...importer.Item) error {
	return nil
}
func (free) Raised(context.Context, importer.Item) (bool, error) { return false, nil }

func (free) Find(context.Context, importer.Account, *importer.Trip) (importer.Record, bool, error) {
	return importer.Record{}, false, nil
}

func (free) Similar(context.Context, importer.Account, *importer.Trip, int) ([]importer.Record, error) {
	return nil, nil
}

func (free) Decided(context.Context, importer.Decision) (importer.Verdict, error) {
	return importer.NoVerdict, nil
}

func (free) DecidedBefore(importer.Decision) importer.Verdict { return importer.NoVerdict }

func (free) Claim(context.Context, importer.Claim) (importer.Claimed, error) {
	return importer.Claimed{}, nil
}
func (free) Settle(context.Context, importer.Claimed, importer.Settlement) error { return nil }

func (free) Start(importer.RunStart) error { return nil }
func (free) Row(importer.RowResult) error  { return nil }

type freeReporter struct{ free }

func (freeReporter) End(importer.RunResult) error { return nil }

// BenchmarkRun measures the run itself for each trip: reading, order, dispatch and
// outcomes. The plain loop makes the same calls and nothing else.
func BenchmarkRun(b *testing.B) {
	rows := make([]string, 10_000)
	for i := range rows {
		rows[i] = "T" + strconv.Itoa(i)
	}
	f := newFile("night.csv", rows...)
	inputs := []run.Input{{Source: f, Mapper: f}}
	check := checker(func(*importer.Mapped) {})
	perTrip := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/trip")
	}
	b.Run("plain loop", func(b *testing.B) {
		for b.Loop() {
			for row := range f.Rows() {
				m := f.Map(row.Clone(), nil)
				plainLoop(b.Context(), &m)
			}
		}
		perTrip(b)
	})
	for _, workers := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			plan, err := run.MakePlan(b.Context(), inputs, check, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			run := run.Run{
				Inputs: inputs, Plan: plan, Checker: check, Reporter: freeReporter{}, Clock: newClock(), Workers: workers,
				Accounts: run.NewAccountResolver("https://trips.example", lakeshore(), plan.Pairs),
				Service:  free{}, Gate: free{}, Ledger: free{},
			}
			for b.Loop() {
				if _, err := run.Do(b.Context(), importer.RunStart{}); err != nil {
					b.Fatal(err)
				}
			}
			perTrip(b)
		})
	}
}

func plainLoop(ctx context.Context, m *importer.Mapped) {
	var stage free
	for i := range m.Trips {
		t := &m.Trips[i]
		_, _, _ = stage.Find(ctx, importer.Account{}, t)
		_, _ = stage.Similar(ctx, importer.Account{}, t, 15)
		_ = stage.Wait(ctx)
		claimed, _ := stage.Claim(ctx, importer.Claim{Trip: t})
		answer := stage.Insert(ctx, importer.Secret{}, t)
		_ = stage.Settle(ctx, claimed, importer.Settlement{State: importer.Created, GUID: answer.GUID})
		stage.Report(answer)
	}
}
