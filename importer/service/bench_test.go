package service

import (
	"bytes"
	"crypto/tls"
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
// a loopback service that takes no time, and to one that takes 50 ms, without and
// with TLS. The service repeats our trip ids, so that connections are kept, or each
// request has a connection of its own. The bare client sends the same bytes over an
// http.Transport of its own, which keeps its connections, and discards the reply.
//
//	go test -run xxx -bench . ./importer/service
//
// The metric %-of-bare is the ratio of the two rates.
func BenchmarkInsert(b *testing.B) {
	for _, delay := range []time.Duration{0, 50 * time.Millisecond} {
		for _, secure := range []bool{false, true} {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				time.Sleep(delay)
				w.Header().Set("Content-Type", jsonType)
				_, _ = io.WriteString(w, withGUID)
			}))
			name := fmt.Sprint(delay, "/plain")
			if secure {
				s.StartTLS()
				name = fmt.Sprint(delay, "/TLS")
			} else {
				s.Start()
			}
			for _, ids := range []string{"learn", "none"} {
				b.Run(name+"/"+ids, func(b *testing.B) { againstBare(b, s, ids) })
			}
			s.Close()
		}
	}
}

const benchWorkers = 32

// againstBare alternates between the two clients, so that other load on the
// machine affects both.
func againstBare(b *testing.B, s *httptest.Server, ids string) {
	url := s.URL
	client := keeping(b, url)
	client.connections = benchWorkers
	client.echo = newEcho(ids, "")
	transport := &http.Transport{MaxIdleConns: benchWorkers, MaxIdleConnsPerHost: benchWorkers}
	if s.TLS != nil {
		roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		client.transport.TLSClientConfig.RootCAs = roots
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	trip, key := goodTrip(), importer.NewSecret("key-1")
	body, err := encode(trip, key)
	if err != nil {
		b.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	ours := func() error {
		if a := client.Insert(b.Context(), key, trip); a.Kind != importer.ReplyCreated {
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
