package service

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
)

// BenchmarkInsert compares the client with a bare one: 32 workers post trips to
// a loopback service that takes no time, and to one that takes 50 ms. The bare
// client sends the same bytes over an http.Transport of its own and discards the
// reply.
//
//	go test -run xxx -bench . ./importer/service
//
// The metric %-of-bare is the ratio of the two rates.
func BenchmarkInsert(b *testing.B) {
	for _, delay := range []time.Duration{0, 50 * time.Millisecond} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			time.Sleep(delay)
			w.Header().Set("Content-Type", jsonType)
			_, _ = io.WriteString(w, withGUID)
		}))
		b.Run(fmt.Sprint("service takes ", delay), func(b *testing.B) { againstBare(b, s.URL) })
		s.Close()
	}
}

const benchWorkers = 32

// againstBare alternates between the two clients, so that other load on the
// machine affects both.
func againstBare(b *testing.B, url string) {
	client := clientOf(b, url, func(c *Config) { c.Connections = benchWorkers })
	trip, key := goodTrip(), importer.NewSecret("key-1")
	body, err := encode(trip, key)
	if err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConns: benchWorkers, MaxIdleConnsPerHost: benchWorkers}
	defer transport.CloseIdleConnections()
	ours := func() error {
		if a := client.Insert(b.Context(), key, trip); a.Kind != importer.AnswerCreated {
			return fmt.Errorf("%v: %s", a.Kind, a.Message)
		}
		return nil
	}
	bare := func() error { return bareInsert(transport, url, body) }

	const batch = benchWorkers * 8
	var spentOurs, spentBare time.Duration
	posts := 0
	for b.Loop() {
		spentBare += inParallel(b, batch, bare)
		spentOurs += inParallel(b, batch, ours)
		posts += batch
	}
	b.ReportMetric(float64(posts)/spentBare.Seconds(), "bare-posts/s")
	b.ReportMetric(float64(posts)/spentOurs.Seconds(), "posts/s")
	b.ReportMetric(100*spentBare.Seconds()/spentOurs.Seconds(), "%-of-bare")
}

func bareInsert(transport *http.Transport, url string, body []byte) error {
	req, err := http.NewRequest(http.MethodPost, url+"/v1/singletrip", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "bearer "+testToken)
	req.Header.Set("Content-Type", "application/json")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return err
}

// inParallel makes n posts with all workers and returns how long they took.
func inParallel(b *testing.B, n int, post func() error) time.Duration {
	b.Helper()
	began := time.Now()
	var wg sync.WaitGroup
	for range benchWorkers {
		wg.Go(func() {
			for range n / benchWorkers {
				if err := post(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}
