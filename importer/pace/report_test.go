package pace

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"tripimport/importer"
)

// report reports one answer for each letter, each after any pause is over.
func report(g *Gate, letters string) {
	for _, c := range letters {
		time.Sleep(g.pause())
		g.Report(answerOf(c))
	}
}

func answerOf(letter rune) importer.Reply {
	switch letter {
	case 'c':
		return importer.Reply{Kind: importer.ReplyCreated, Status: 200}
	case 'v':
		return importer.Reply{Kind: importer.ReplyChanged, Status: 200}
	case 'g':
		return importer.Reply{Kind: importer.ReplyCreatedNoGUID, Status: 200}
	case 'r':
		return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
	case 'd':
		return importer.Reply{Kind: importer.ReplyDenied, Status: 401}
	case 't':
		return importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Second}
	case 'm':
		return importer.Reply{Kind: importer.ReplyMisdirected, Status: 404}
	case '3':
		return importer.Reply{Kind: importer.ReplyRedirected, Status: 302}
	case 'f':
		return importer.Reply{Kind: importer.ReplyForeign, Status: 200}
	case 'p':
		return importer.Reply{Kind: importer.ReplyPage, Status: 200}
	case 'n':
		return importer.Reply{Kind: importer.ReplyNotSent}
	case 'b':
		return importer.Reply{Kind: importer.ReplyBadCertificate}
	}
	return importer.Reply{Kind: importer.ReplyUnclear, Status: 500}
}

// Each case is a sequence of answers: u is unclear, c created, v changed, g created
// without a GUID, r refused, d denied, t throttled, n not sent, m misdirected, 3
// redirected, p a page, f about another trip, b a bad certificate. The stop, if any, comes with the
// last one.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		answers, code string
		later         bool
	}{
		{"uuuuu", "service-down", true},
		{"cf", "foreign-answer", false},
		{"uuuu", "", false},
		{"uuuucuuuu", "", false},
		{"uuuucuuuuu", "service-down", true},
		{"uuuuruuuu", "", false},
		{"uuuuduuuu", "", false},
		{"uuuuguuuu", "", false},
		{"uuntnuuu", "service-down", true},
		{"p", "page-instead-of-answer", false},
		{"cccp", "page-instead-of-answer", false},
		{"3", "redirected", false},
		{"m", "wrong-address", false},
		{"b", "bad-certificate", false},
		{"ggg", "guid-missing", false},
		{"ggcgg", "", false},
		{"ggrg", "guid-missing", false},
		{"ggvg", "guid-missing", false}, // it says nothing about GUIDs
		{"uuuuvuuuu", "", false},
		{"nnnnvnnnn", "", false},
		{"tttttvttttt", "", false},
		{"nnnnn", "service-unreachable", true},
		{"nnnncnnnn", "", false},
		{"nnnnunnnn", "", false},
		{"tttttt", "rate-refused", true},
		{"tttttcttttt", "", false},
		{"tttttut", "rate-refused", true},
		{"ccccccrrrrrdddddd", "", false},
	} {
		t.Run(c.answers, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := New(Config{Rate: 10})
				if c.code != "" {
					report(g, c.answers[:len(c.answers)-1])
					if stop := g.Stopped(); stop != nil {
						t.Fatalf("stopped too early: %v", stop)
					}
					report(g, c.answers[len(c.answers)-1:])
				} else {
					report(g, c.answers)
				}
				stop := g.Stopped()
				if stop == nil {
					if c.code != "" {
						t.Fatalf("not stopped, want %s", c.code)
					}
					return
				}
				if stop.Code != c.code || stop.Later != c.later {
					t.Errorf("stopped with %s (later %v), want %q (later %v)", stop.Code, stop.Later, c.code, c.later)
				}
				if err := g.Wait(t.Context()); !errors.Is(err, stop) {
					t.Errorf("Wait gives %v, want the stop", err)
				}
			})
		})
	}
}

// An outage that eight workers meet at the same time counts once.
func TestOneOutageCountsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 10})
		for range 8 {
			g.Report(answerOf('n'))
		}
		if stop := g.Stopped(); stop != nil {
			t.Fatalf("stopped at the first outage: %v", stop)
		}
		if p := g.pause(); p < 2*time.Second || p > 2400*time.Millisecond {
			t.Errorf("paused for %v, want about 2 s", p)
		}
	})
}

func TestUnreachableWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, began := New(Config{Rate: 10}), time.Now()
		report(g, "nnnnn")
		if d := time.Since(began); d < 80*time.Second || d > 96*time.Second {
			t.Errorf("gave up after %v, want 80 s and up to a fifth more", d)
		}
	})
}

// The Retry-After of an unclear answer (a 503) is followed, and a second 429 in a
// pause can only make the pause longer.
func TestPausesOnlyGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 10})
		for _, c := range []struct {
			kind   importer.ReplyKind
			asked  time.Duration
			paused time.Duration
		}{
			{importer.ReplyUnclear, 20 * time.Second, 20 * time.Second},
			{importer.ReplyThrottled, 5 * time.Second, 20 * time.Second},
			{importer.ReplyThrottled, 90 * time.Second, 90 * time.Second},
			{importer.ReplyThrottled, 0, 90 * time.Second},
			{importer.ReplyThrottled, 999 * time.Hour, 5 * time.Minute},
		} {
			g.Report(importer.Reply{Kind: c.kind, RetryAfter: c.asked})
			if g.pause() != c.paused {
				t.Errorf("%v that asks for %v: paused for %v, want %v", c.kind, c.asked, g.pause(), c.paused)
			}
		}
	})
}

// Every stop says what happened and what to do, without jargon.
func TestStopTexts(t *testing.T) {
	var all []*importer.Stop
	for _, kind := range []importer.ReplyKind{
		importer.ReplyUnclear, importer.ReplyNotSent, importer.ReplyThrottled, importer.ReplyCreatedNoGUID,
		importer.ReplyPage, importer.ReplyRedirected, importer.ReplyMisdirected, importer.ReplyForeign, importer.ReplyBadCertificate,
	} {
		if stops()[kind] == nil {
			t.Fatalf("%v does not stop the run", kind)
		}
		all = append(all, stops()[kind])
	}
	for _, s := range all {
		for _, text := range []string{s.Reason, s.Fix} {
			if text == "" || strings.HasSuffix(text, ".") || unicode.IsUpper([]rune(text)[0]) {
				t.Errorf("%s: %q is not in the style of messages", s.Code, text)
			}
		}
	}
}
