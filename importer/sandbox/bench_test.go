package sandbox

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// BenchmarkInsert shows how much of a loopback round trip is the sandbox's own
// work: 16 goroutines for each CPU post one trip again and again, to a handler
// that reads the body and writes nothing, to the sandbox in memory, and to the
// sandbox with its log in a file.
//
//	go test -run xxx -bench . ./importer/sandbox
func BenchmarkInsert(b *testing.B) {
	post := func(b *testing.B, handler http.Handler, body string) {
		b.Helper()
		s := httptest.NewServer(handler)
		defer s.Close()
		transport := &http.Transport{MaxIdleConnsPerHost: 64}
		defer transport.CloseIdleConnections()
		var failed atomic.Int64
		b.SetParallelism(16) // times GOMAXPROCS
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				req, err := http.NewRequest("POST", s.URL+"/v1/singletrip", strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				req.Header.Set("Authorization", "bearer "+DefaultToken)
				req.Header.Set("Content-Type", "application/json")
				resp, err := transport.RoundTrip(req)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode != 200 {
					failed.Add(1)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
		if failed.Load() > 0 {
			b.Errorf("%d posts failed", failed.Load())
		}
	}
	with := func(cfg Config) (http.Handler, string) {
		s, err := New(cfg)
		if err != nil {
			b.Fatal(err)
		}
		s.Allow("Lakeshore Transit", "Northwind Health Plan")
		return s, tripJSON(b, s.providers[0].Key.Reveal(), nil)
	}
	b.Run("bare", func(b *testing.B) {
		post(b, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
		}), tripJSON(b, "key-1", nil))
	})
	b.Run("memory", func(b *testing.B) {
		s, body := with(Config{})
		post(b, s, body)
	})
}

// BenchmarkReadInsertion parses and validates the body of an insertion.
func BenchmarkReadInsertion(b *testing.B) {
	contract := theContract(b)
	body := []byte(tripJSON(b, "key-1", nil))
	b.ReportAllocs()
	for b.Loop() {
		if found := violations(contract[Insert], parse(body)); found != nil {
			b.Fatal(found)
		}
	}
}
