package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer/sandbox"
)

// BenchmarkNight measures a whole import with 32 workers and without a rate limit. It
// compares it with other clients that post the same bytes to the same kind of service: a
// loop that makes the same two grouped commits for each POST, a bare client, and hey
// where it is installed; and with an update that changes a time of every trip. All rates are measured in the service, from the first trip
// that arrives to the last. The clients take turns in each round, so that other load of
// the machine affects all of them. It reports medians.
//
//	go test -run xxx -bench Night -benchtime 5x ./cmd/tripimport
func BenchmarkNight(b *testing.B) {
	b.Run("service takes no time", func(b *testing.B) { againstPeers(b, 3200, 0) })
	b.Run("service takes 50ms", func(b *testing.B) { againstPeers(b, 1280, 50*time.Millisecond) })
}

// nightWorkers is how many requests are sent at once.
const nightWorkers = 32

// againstPeers measures rounds with that many trips and that delay of the service.
func againstPeers(b *testing.B, trips int, delay time.Duration) {
	rows := inventedRows(trips, func(int) bool { return false })
	var ours, whole, changed, looped, bare, hey, ofLoop, ofBare, ofOurs []float64
	for b.Loop() {
		n := &speedRound{rows: rows, delay: delay}
		began := time.Now()
		rate, office := n.product(b)
		whole = append(whole, float64(trips)/time.Since(began).Seconds())
		ours = append(ours, rate)
		changed = append(changed, n.update(b, office))
		ofOurs = append(ofOurs, 100*changed[len(changed)-1]/rate)
		looped = append(looped, n.loop(b))
		bare = append(bare, n.bare(b))
		ofLoop = append(ofLoop, 100*rate/looped[len(looped)-1])
		ofBare = append(ofBare, 100*rate/bare[len(bare)-1])
		if rate, ok := n.hey(b); ok {
			hey = append(hey, rate)
		}
	}

	b.ReportMetric(median(ours), "posts/s")
	b.ReportMetric(median(whole), "whole-trips/s")
	b.ReportMetric(median(changed), "changes/s")
	b.ReportMetric(median(ofOurs), "changes-%-of-posts")
	b.ReportMetric(median(looped), "loop-posts/s")
	b.ReportMetric(median(bare), "bare-posts/s")
	b.ReportMetric(median(ofLoop), "%-of-loop")
	b.ReportMetric(median(ofBare), "%-of-bare")
	line := "hey is not installed"
	if len(hey) > 0 {
		b.ReportMetric(median(hey), "hey-posts/s")
		line = fmt.Sprintf("hey %.0f", median(hey))
	}

	b.Logf("medians of %d rounds, posts/s: import %.0f, loop with the same commits %.0f, bare client %.0f, %s; import is %.0f %% of the loop (%.0f to %.0f) and %.0f %% of the bare client (%.0f to %.0f)",
		len(ours), median(ours), median(looped), median(bare), line,
		median(ofLoop), slices.Min(ofLoop), slices.Max(ofLoop), median(ofBare), slices.Min(ofBare), slices.Max(ofBare))
	b.Logf("update %.0f changes/s: %.0f %% of the import's posts (%.0f to %.0f)",
		median(changed), median(ofOurs), slices.Min(ofOurs), slices.Max(ofOurs))
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// A speedRound is one round of all clients.
type speedRound struct {
	rows  []plainRow
	delay time.Duration

	mu     sync.Mutex
	bodies [][]byte // what the import sent, for the peers to send again

	changes meter // counts the changes
}

// A meter counts the trips that arrive in a service.
type meter struct {
	count       atomic.Int64
	first, last atomic.Int64 // UnixNano
}

func (m *meter) arrived() {
	now := time.Now().UnixNano()
	m.first.CompareAndSwap(0, now)
	m.last.Store(now)
	m.count.Add(1)
}

// rate returns the posts per second.
func (m *meter) rate(b *testing.B, want int) float64 {
	b.Helper()
	if n := m.count.Load(); n < int64(want) {
		b.Fatalf("%d posts arrived, want %d", n, want)
	}
	return float64(m.count.Load()-1) / time.Duration(m.last.Load()-m.first.Load()).Seconds()
}

// office makes an office whose service counts what arrives. keep keeps the bodies for
// the other clients.
func (n *speedRound) office(b *testing.B, m *meter, keep bool) *office {
	return newOffice(b, n.rows, sandbox.Config{Delay: n.delay, OnRequest: func(op sandbox.Operation, body []byte) {
		if op == sandbox.Change {
			n.changes.arrived()
			return
		}
		m.arrived()
		if keep {
			n.mu.Lock()
			n.bodies = append(n.bodies, body)
			n.mu.Unlock()
		}
	}})
}

// product runs the import. It also returns the office
// that has the trips then.
func (n *speedRound) product(b *testing.B) (float64, *office) {
	var m meter
	n.bodies = nil
	o := n.office(b, &m, true)
	s := o.run("import", "--today", "2026-12-01", "--set", "workers="+strconv.Itoa(nightWorkers), "--results", filepath.Join(o.folder, "results.csv"), o.schedule)
	if s.status != exitDone {
		b.Fatalf("the import ended with status %d: %s", s.status, s.err)
	}
	return m.rate(b, len(n.rows)), o
}

// update changes a time of every trip that the office has booked. So many changes are
// unusual: a person is asked.
func (n *speedRound) update(b *testing.B, o *office) float64 {
	rows := slices.Clone(n.rows)
	for i, row := range rows {
		rows[i] = maps.Clone(row)
		rows[i]["Pickup Time"] = minutesAfter(row["Pickup Time"], 5)
	}
	o.write(o.schedule, rows)

	args := []string{"import", "--today", "2026-12-01", "--set", "workers=" + strconv.Itoa(nightWorkers), "--results", filepath.Join(o.folder, "results2.csv"), o.schedule}
	o.typed = "yes\n"
	s := o.run(args...)
	if s.status != exitDone {
		b.Fatalf("the update ended with status %d: %s", s.status, s.err)
	}
	return n.changes.rate(b, len(rows))
}

// loop posts the same bytes, each between two commits.
func (n *speedRound) loop(b *testing.B) float64 {
	var m meter
	o := n.office(b, &m, false)
	bare, err := newBareLedger(o.folder)
	o.must(err)
	n.each(b, o.url, func(i int, post func() error) error {
		return errors.Join(bare.claim(int64(i)), post(), bare.settle(int64(i), "5d0c3f5e-0000-4000-8000-000000000000"))
	})
	o.must(bare.close())
	return m.rate(b, len(n.rows))
}

// bare posts the same bytes without commits.
func (n *speedRound) bare(b *testing.B) float64 {
	var m meter
	o := n.office(b, &m, false)
	n.each(b, o.url, func(_ int, post func() error) error { return post() })
	return m.rate(b, len(n.rows))
}

// each calls do for every body, with all workers.
func (n *speedRound) each(b *testing.B, url string, do func(i int, post func() error) error) {
	b.Helper()
	transport := &http.Transport{MaxIdleConns: nightWorkers, MaxIdleConnsPerHost: nightWorkers, DisableCompression: true}
	defer transport.CloseIdleConnections()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range nightWorkers {
		workers.Go(func() {
			for i := next.Add(1); i <= int64(len(n.bodies)); i = next.Add(1) {
				if err := do(int(i), func() error { return barePost(transport, url, n.bodies[i-1]) }); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
}

// barePost posts one body.
func barePost(transport *http.Transport, url string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, url+"/v1/singletrip", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "bearer "+officeToken)
	request.Header.Set("Content-Type", "application/json")
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}

	_, err = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the service answered %s", answer.Status)
	}
	return errors.Join(err, answer.Body.Close())
}

// hey posts one of the bodies as often, where the program is installed.
func (n *speedRound) hey(b *testing.B) (float64, bool) {
	program, err := exec.LookPath("hey")
	if err != nil {
		return 0, false
	}

	var m meter
	o := n.office(b, &m, false)
	out, err := exec.Command(program, "-n", strconv.Itoa(len(n.rows)), "-c", strconv.Itoa(nightWorkers), "-m", "POST",
		"-T", "application/json", "-H", "Authorization: bearer "+officeToken, "-d", string(n.bodies[0]), o.url+"/v1/singletrip").CombinedOutput()
	if err != nil {
		b.Fatalf("hey: %v: %s", err, out)
	}
	return m.rate(b, len(n.rows)), true
}
