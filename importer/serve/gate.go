package serve

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A gate decides who may ask what. One person is in at a time: a new ticket that is used ends the
// session before it.
type gate struct {
	// host is the only Host that is answered: the page's random name, and its port.
	host string
	now  func() time.Time
	// idle is after how long without a request of a person the session ends.
	idle time.Duration

	mu      sync.Mutex
	ticket  secret
	until   time.Time
	misses  int
	session secret
	before  secret // the session that the one that is in has ended
	who     string
	at      string    // the screen that a person has seen last, or empty
	asked   time.Time // the last request of a person
	used    time.Time // the last request of a person, or when a run went on last
}

// A secret is the SHA-256 of a random text; zero, which no text has, for none.
type secret [sha256.Size]byte

// newSecret returns a random text, and what is kept of it.
func newSecret() (text string, kept secret) {
	text = randomText(16)
	return text, sha256.Sum256([]byte(text))
}

func randomText(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

func (s secret) is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(s[:], sum[:]) == 1
}

// These bound the guessing of a ticket.
const (
	ticketFor  = time.Minute
	mostMisses = 5
)

// newTicket returns a ticket, which lets one person in within a minute. It voids the one before it.
func (g *gate) newTicket() (text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	text, g.ticket = newSecret()
	g.until, g.misses = g.now().Add(ticketFor), 0
	return text
}

// enter exchanges a ticket for a session.
func (g *gate) enter(ticket string) (session string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.ticket.is(ticket) || !g.now().Before(g.until) {
		if g.misses++; g.misses >= mostMisses {
			g.ticket = secret{}
		}
		return "", false
	}
	g.ticket, g.before, g.who, g.asked, g.used = secret{}, g.session, "", g.now(), g.now()
	session, g.session = newSecret()
	return session, true
}

// set changes or reads what the gate knows.
func (g *gate) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

// lock ends the session.
func (g *gate) lock() { g.set(func() { g.session, g.who = secret{}, "" }) }

// isIn reports whether a session is the one that is in, and notes a request of a person.
func (g *gate) isIn(session string, person bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now().Sub(g.asked) >= g.idle {
		g.session, g.who = secret{}, ""
	}
	in := g.session.is(session)
	if in && person {
		g.asked, g.used = g.now(), g.now()
	}
	return in
}

// shut says why a session is not in: whoever was in before is told who is now.
func (g *gate) shut(session string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.before != (secret{}) && g.before.is(session) && g.session != (secret{}) {
		return "the page is continued by " + cmp.Or(g.who, "somebody else") + ": open it again as you opened it before, once they are done"
	}
	return "the page is locked: open it again as you opened it before"
}

// name sets who is in, and person returns it; empty if nobody has said.
func (g *gate) name(who string) { g.set(func() { g.who = who }) }

func (g *gate) person() (who string) {
	g.set(func() { who = g.who })
	return who
}

// goesOn notes the address of the screen that a person sees, with which the next session begins.
func (g *gate) goesOn(at string) { g.set(func() { g.at = at }) }

// screen is the address of the screen that a person has seen last.
func (g *gate) screen() (at string) {
	g.set(func() { at = cmp.Or(g.at, "/") })
	return at
}

// touch notes that the page is in use although nobody asks, and lastUsed returns when it was used last.
func (g *gate) touch() { g.set(func() { g.used = g.now() }) }

func (g *gate) lastUsed() (at time.Time) {
	g.set(func() { at = g.used })
	return at
}

// cookieName binds the cookie to the page's own name: it is sent to no other.
const cookieName = "__Host-tripimport"

// statePath is asked by the page itself. enterPath and ticketPath are asked by those who have no session yet, and
// have secrets of their own.
const statePath, enterPath, ticketPath = "/state", "/enter", "/ticket"

// guard lets only those requests through that the page's own person makes.
func (g *gate) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if r.Host != g.host {
			refuse(w, http.StatusForbidden, "this is not the address of the page")
			return
		}
		if r.Method == http.MethodPost && (r.URL.Path == enterPath || r.URL.Path == ticketPath) {
			next.ServeHTTP(w, r)
			return
		}
		if !isOwn(r) {
			refuse(w, http.StatusForbidden, "only the page itself may ask this")
			return
		}
		if r.Method == http.MethodGet && r.URL.Path == enterPath {
			next.ServeHTTP(w, r)
			return
		}
		cookie, err := r.Cookie(cookieName)
		if err != nil {
			cookie = &http.Cookie{} // no session has an empty name
		}
		if !g.isIn(cookie.Value, !byItself(r)) {
			kept := "; nothing is lost"
			if r.Method == http.MethodPost {
				kept = "; what you did just now was not taken"
			}
			refuse(w, http.StatusUnauthorized, g.shut(cookie.Value)+kept)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// byItself reports whether the page asks by itself, and no person, which keeps no session open.
func byItself(r *http.Request) bool {
	query := r.URL.Query()
	return r.URL.Path == statePath && !query.Has("typed") || query.Has("auto")
}

// isOwn reports whether the page itself, or a person at the browser, made the request. A request
// without fetch metadata comes from no browser.
func isOwn(r *http.Request) bool {
	site, mode := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode")
	switch r.Method {
	case http.MethodGet:
		return site == "same-origin" || site == "none" && mode == "navigate"
	case http.MethodPost:
		return site == "same-origin"
	}
	return false
}

// harden sets the headers that every answer has.
func harden(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		"Cache-Control":           "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		h.Set(name, value)
	}
}

// refuse answers with a status and one sentence.
func refuse(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(strings.TrimSpace(sentence) + "\n")) // the client may be gone
}

// letIn answers a ticket with a session. The browser must not be redirected: it would not send a strict
// cookie on the way from the private file.
func (g *gate) letIn(w http.ResponseWriter, r *http.Request) {
	session, ok := "", false
	if r.URL.RawQuery == "" && r.ParseForm() == nil {
		session, ok = g.enter(r.PostForm.Get("ticket"))
	}
	if !ok {
		refuse(w, http.StatusUnauthorized, "this ticket was used or is too old: open the page again as you opened it before")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: session, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Refresh", "0; url="+g.screen())
	refuse(w, http.StatusOK, "one moment")
}

// leave ends the session of a person, and has the browser forget what it showed.
func (g *gate) leave(w http.ResponseWriter, sentence string) {
	g.lock()
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	refuse(w, http.StatusOK, sentence)
}
