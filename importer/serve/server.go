package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"tripimport/importer/app"
)

// A server is the page while it is served.
type server struct {
	*page

	door    *door
	control control
	handler http.Handler
	close   context.CancelFunc
}

// Serve serves the page until the context is done, somebody closes it, or nobody has used it for half
// an hour. A run that goes on then is finished first: the rows under way, both legs. If the page is
// served already, Serve opens it and returns.
func Serve(ctx context.Context, jobs *app.Jobs, c Config) (err error) {
	d := &door{folder: c.Folder}
	held, err := d.hold()
	if err != nil {
		return fmt.Errorf("the page's folder can't be used: %w", err)
	}
	if !held {
		return openOther(ctx, d, c)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	at, err := listen(ctx)
	if err != nil {
		return err
	}
	defer at.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newServer(jobs, d, c, at.port, cancel)
	if err == nil {
		err = d.publish(s.control)
	}
	if err != nil {
		return err
	}
	return s.serve(ctx, at)
}

// openOther opens the page that is served already.
func openOther(ctx context.Context, d *door, c Config) error {
	for range 10 { // it may be about to start
		if host, ticket, err := d.ask(ctx); err == nil {
			return d.letIn(&c, host, ticket, "the page is open already")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return app.Usage("wait a minute and start it again", "the page is served already, and does not answer")
}

func newServer(jobs *app.Jobs, d *door, c Config, port int, cancel context.CancelFunc) (*server, error) {
	c.Lock, c.End = cmp.Or(c.Lock, 10*time.Minute), cmp.Or(c.End, 30*time.Minute)
	now := func() time.Time { return time.Now().Round(0) } // of the wall, which goes on while the machine sleeps
	host := fmt.Sprintf("%s.localhost:%d", randomText(10), port)
	p := &page{
		config: c, jobs: jobs,
		gate: &gate{host: host, now: now, idle: c.Lock, used: now()},
		runs: &runner{jobs: jobs, last: map[string]*oneRun{}},
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	s := &server{page: p, door: d, control: control{Host: host, Secret: randomText(32), Port: port}, close: cancel}
	s.handler = s.gate.guard(s.named(s.routes()))
	return s, nil
}

// routes are all that can be asked. What is not here is refused.
func (s *server) routes() *http.ServeMux {
	p := s.page
	start, faults, rows, columns := startScreen{p}, faultScreen{p}, rowScreen{p}, columnScreen{p}
	book, morning, runs := &bookScreen{page: p}, morningScreen{p}, runScreen{p}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /{$}":                 start.get,
		"GET " + statePath:         p.state,
		"GET /static/{name}":       p.static,
		"GET " + enterPath:         ticketForm,
		"POST " + enterPath:        s.gate.letIn,
		"POST " + ticketPath:       s.grant,
		"POST /who":                p.does(start.who),
		"POST /lock":               s.lock,
		"POST /close":              s.end,
		"POST /arrive":             p.does(start.arrive),
		"GET /w/{id}/columns":      columns.get,
		"POST /w/{id}/columns":     p.does(columns.decide, "choice", "typed"),
		"POST /w/{id}/back":        p.does(columns.back),
		"POST /w/{id}/approve":     p.does(columns.approve),
		"GET /w/{id}/faults":       faults.get,
		"GET /w/{id}/rows":         rows.get,
		"POST /w/{id}/fix":         p.does(faults.fix, "choice", "is"),
		"POST /w/{id}/again":       p.does(faults.again),
		"GET /w/{id}/book":         book.get,
		"POST /w/{id}/plan":        book.plan,
		"POST /w/{id}/run":         book.run,
		"POST /w/{id}/results":     p.does(book.results),
		"POST /run/stop":           p.does(book.stop),
		"GET /morning":             morning.get,
		"POST /morning/answer":     p.does(morning.answer, "guid"),
		"GET /runs":                runs.get,
		"POST /runs/{id}/workbook": p.does(runs.openWorkbook),
	} {
		mux.HandleFunc(pattern, handle)
	}
	return mux
}

// named asks who is here before it shows anything else, and bounds what a form may send.
func (p *page) named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const largestForm = 1 << 20
		most := int64(largestForm)
		if r.URL.Path == "/arrive" {
			most += app.LargestFile
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		if r.URL.Path == enterPath {
			next.ServeHTTP(w, r)
			return
		}
		if p.gate.person() == "" && !strings.HasPrefix(r.URL.Path, "/static/") && !slices.Contains([]string{statePath, ticketPath, "/who", "/lock", "/close"}, r.URL.Path) {
			p.show(w, http.StatusOK, "who", app.UserName())
			return
		}
		next.ServeHTTP(w, r)
		if r.Header.Get("Sec-Fetch-Mode") == "navigate" && strings.HasPrefix(r.Pattern, http.MethodGet) {
			p.gate.goesOn(r.URL.EscapedPath())
		}
	})
}

func (s *server) grant(w http.ResponseWriter, r *http.Request) {
	s.control.grant(w, r, s.gate.newTicket)
}

// lock ends the session; the page goes on.
func (s *server) lock(w http.ResponseWriter, _ *http.Request) {
	s.gate.leave(w, "the page is locked: open it again as you opened it before; nothing is lost")
}

// end closes the page, but not while a booking goes on that nobody has stopped.
func (s *server) end(w http.ResponseWriter, _ *http.Request) {
	if one, going := s.runs.current(); going && !one.Rehearsal && one.Stopping == 0 {
		s.fail(w, app.Usage("stop it first; or lock the page, or close only the window: it goes on to its end then", "%s is being booked", one.Name), "/", "")
		return
	}
	s.gate.leave(w, "the page is closed: open it again as you opened it before; nothing is lost")
	s.close()
}

// serve answers at both addresses until the context is done, and waits for a run to end.
func (s *server) serve(ctx context.Context, at *loopback) error {
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 2 * time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // it would have addresses
	}
	ended := make(chan error, len(at.listeners))
	for _, l := range at.listeners {
		go func() { ended <- h.Serve(l) }()
	}
	if err := s.door.letIn(&s.config, s.gate.host, s.gate.newTicket(), "the page is open"); err != nil {
		return errors.Join(err, h.Close())
	}

	err := s.untilUnused(ctx, ended)
	s.runs.stop(false)
	s.runs.wait()
	const grace = 2 * time.Second
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if stopErr := h.Shutdown(last); stopErr != nil {
		_ = h.Close() // a request that hangs is no reason to stay
	}
	return err
}

// untilUnused waits until the context is done, nobody has used the page for long, or it can't be served
// any more.
func (s *server) untilUnused(ctx context.Context, ended <-chan error) error {
	tick := time.NewTicker(max(s.config.End/60, 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-tick.C:
			if _, going := s.runs.current(); going {
				s.gate.touch()
			}
			if time.Since(s.gate.lastUsed()) > s.config.End {
				return nil
			}
			_ = s.door.sweep(ticketFor) // the next sweep tries again
		}
	}
}
