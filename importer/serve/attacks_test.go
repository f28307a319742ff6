package serve_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"tripimport/importer/serve"
)

// TestForeignRequests makes every kind of request that the page's own person does not make: none gets a
// row or changes anything, and each gets one sentence.
func TestForeignRequests(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	_, port, _ := strings.Cut(v.host, ":")
	faults, fix := "/w/"+id+"/faults", "/w/"+id+"/fix"
	post := fixOf(4, spaceType, "Gurney", "STR")
	refused := 0
	for what, r := range map[string]struct {
		method, path string
		form         url.Values
		header       map[string]string
	}{
		"rebinding":                     {"GET", faults, nil, map[string]string{"Host": "evil.example:" + port}},
		"rebinding, post":               {"POST", fix, post, map[string]string{"Host": "evil.example:" + port}},
		"rebinding, style":              {"GET", "/static/style.css", nil, map[string]string{"Host": "evil.example:" + port}},
		"rebinding, ticket":             {"POST", "/enter", url.Values{"ticket": {"x"}}, map[string]string{"Host": "evil.example:" + port}},
		"localhost":                     {"GET", faults, nil, map[string]string{"Host": "localhost:" + port}},
		"127.0.0.1":                     {"GET", faults, nil, map[string]string{"Host": "127.0.0.1:" + port}},
		"trailing dot":                  {"GET", faults, nil, map[string]string{"Host": strings.Replace(v.host, ":", ".:", 1)}},
		"no port":                       {"GET", faults, nil, map[string]string{"Host": strings.TrimSuffix(v.host, ":"+port)}},
		"another port":                  {"GET", faults, nil, map[string]string{"Host": strings.TrimSuffix(v.host, port) + "1"}},
		"upper case":                    {"GET", faults, nil, map[string]string{"Host": strings.ToUpper(v.host)}},
		"no cookie":                     {"GET", faults, nil, map[string]string{"Cookie": ""}},
		"an empty cookie":               {"GET", faults, nil, map[string]string{"Cookie": "__Host-tripimport="}},
		"a guessed cookie":              {"GET", faults, nil, map[string]string{"Cookie": "__Host-tripimport=00000000000000000000000000000000"}},
		"no cookie, post":               {"POST", fix, post, map[string]string{"Cookie": ""}},
		"no cookie, state":              {"GET", "/state", nil, map[string]string{"Cookie": ""}},
		"cross-site post":               {"POST", fix, post, map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}},
		"post from a file":              {"POST", fix, post, map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "null"}},
		"post from another port":        {"POST", fix, post, map[string]string{"Sec-Fetch-Site": "same-site"}},
		"typed post":                    {"POST", fix, post, map[string]string{"Sec-Fetch-Site": "none"}},
		"cross-site get":                {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}},
		"same-site get":                 {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": "same-site"}},
		"image":                         {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}},
		"frame":                         {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}},
		"prefetch":                      {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "no-cors", "Sec-Purpose": "prefetch"}},
		"a program with the cookie":     {"GET", faults, nil, map[string]string{"Sec-Fetch-Site": ""}},
		"a program's post":              {"POST", fix, post, map[string]string{"Sec-Fetch-Site": ""}},
		"act by get":                    {"GET", fix + "?" + post.Encode(), nil, nil},
		"close by get":                  {"GET", "/close", nil, nil},
		"put":                           {"PUT", fix, post, nil},
		"delete":                        {"DELETE", faults, nil, nil},
		"trace":                         {"TRACE", faults, nil, nil},
		"options":                       {"OPTIONS", faults, nil, nil},
		"head":                          {"HEAD", faults, nil, nil},
		"ticket in the query":           {"POST", "/enter?ticket=x", url.Values{}, nil},
		"the form of another site":      {"GET", "/enter", nil, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}},
		"the form, rebinding":           {"GET", "/enter", nil, map[string]string{"Host": "evil.example:" + port}},
		"ticket by get":                 {"GET", "/enter?ticket=x", nil, nil},
		"ticket for a program":          {"POST", "/ticket", url.Values{}, nil},
		"ticket with a guessed secret":  {"POST", "/ticket", url.Values{}, map[string]string{"Tripimport-Secret": strings.Repeat("0", 64)}},
		"path traversal":                {"GET", "/static/..%2fpage.go", nil, nil},
		"path traversal, templates":     {"GET", "/static/../templates/layout.html", nil, nil},
		"nul":                           {"GET", "/static/style.css%00", nil, nil},
		"a work elsewhere":              {"GET", "/w/..%2f..%2fworks/faults", nil, nil},
		"a device":                      {"GET", "/w/CON/faults", nil, nil},
		"a share":                       {"GET", "/w/%5C%5Chost%5Cx/faults", nil, nil},
		"a run elsewhere":               {"POST", "/runs/..%2f..%2fx/workbook", url.Values{}, nil},
		"a run by path":                 {"POST", "/runs/%2Fetc%2Fpasswd/workbook", url.Values{}, nil},
		"a run of another ledger":       {"POST", "/runs/20261202T031500Z-5f3a1c/workbook", url.Values{}, nil},
		"a run by share":                {"POST", "/runs/%5C%5Chost%5Cx.lnk/workbook", url.Values{}, nil},
		"a sound cell":                  {"POST", fix, fixOf(2, spaceType, "AMB", "STR"), nil},
		"a sound cell of a faulty row":  {"POST", fix, fixOf(4, 1, "T-3", "T-4"), nil},
		"a cell that was not seen so":   {"POST", fix, fixOf(4, spaceType, "AMB", "STR"), nil},
		"a cell of another work":        {"POST", "/w/20261120T140200Z-0011223344556677/fix", post, nil},
		"a run without a plan":          {"POST", "/w/" + id + "/run", url.Values{"plan": {"x"}}, nil},
		"a run with an empty plan":      {"POST", "/w/" + id + "/run", url.Values{}, nil},
		"an answer to nothing":          {"POST", "/morning/answer", url.Values{"item": {"x"}, "saw": {"0"}, "answer": {"leave it"}}, nil},
		"the approval of nothing":       {"POST", "/w/20261120T140200Z-0011223344556677/approve", url.Values{"seen": {"x"}}, nil},
		"a setting":                     {"POST", "/config", url.Values{"base_url": {"http://evil.example"}}, nil},
		"a body that is too large":      {"POST", fix, fixOf(4, spaceType, "Gurney", strings.Repeat("x", 2<<20)), nil},
		"a path that is not there":      {"GET", "/debug/pprof/", nil, nil},
		"a path with two slashes":       {"GET", "//w/" + id + "/faults", nil, nil},
		"no cookie, and no such path":   {"GET", "/x", nil, map[string]string{"Cookie": ""}},
		"no cookie, and a static file":  {"GET", "/static/script.js", nil, map[string]string{"Cookie": ""}},
		"another's cookie of that name": {"GET", faults, nil, map[string]string{"Cookie": "__Host-tripimport=x; __Host-tripimport=y"}},
	} {
		answer := v.do(r.method, r.path, r.form, r.header)
		refused++
		if answer.status < 300 || strings.Contains(answer.text, "Cy Tarn") || strings.Contains(answer.text, "Alder Ct") {
			t.Errorf("%s: %d %s", what, answer.status, answer.text)
		}
		if answer.header.Get("Cache-Control") != "no-store" || !strings.Contains(answer.header.Get("Content-Security-Policy"), "default-src 'none'") || answer.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", what, answer.header)
		}
		if answer.status == http.StatusUnauthorized || answer.status == http.StatusForbidden {
			if lines := strings.Count(answer.text, "\n"); r.method != "HEAD" && lines != 1 {
				t.Errorf("%s: not one sentence: %q", what, answer.text)
			}
		}
	}
	t.Logf("%d requests", refused)
	v.mustSay(v.get(faults), 200, "1 row to fix", "Gurney")
	if text := v.get(faults).text; strings.Contains(text, "Fixed here") || o.inserts.Load() > 0 {
		t.Errorf("something was changed: %s", text)
	}
}

// TestTickets uses tickets in ways in which they must not be used.
func TestTickets(t *testing.T) {
	o := newOffice(t)
	o.start()
	d := o.readDoor(o.lastOpened(1))
	v := &visitor{office: o, host: d.host}
	enter := func(ticket string) reply { return v.do("POST", "/enter", url.Values{"ticket": {ticket}}, nil) }
	if r := v.do("GET", "/", nil, map[string]string{"Cookie": "__Host-tripimport="}); r.status != 401 {
		t.Errorf("an empty cookie before anybody came in: %d", r.status)
	}
	answer := enter(d.ticket)
	if answer.status != 200 || len(answer.cookies) != 1 {
		t.Fatalf("the right ticket: %d", answer.status)
	}
	c := answer.cookies[0]
	if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || !c.Expires.IsZero() {
		t.Errorf("the cookie: %+v", c)
	}
	v.cookie = c.Name + "=" + c.Value
	if r := enter(d.ticket); r.status != 401 || len(r.cookies) > 0 {
		t.Errorf("a ticket that was used: %d", r.status)
	}
	v.mustSay(v.get("/"), 200, "Who is here?")

	// A new start ends the session before it, once its ticket is used; guessing voids it.
	second := serveAgain(o)
	v.mustSay(v.get("/"), 200, "Who is here?")
	for range 5 {
		enter("guess")
	}
	if r := enter(second.ticket); r.status != 401 {
		t.Errorf("after five guesses: %d", r.status)
	}
	third := serveAgain(o)
	if third.host != d.host {
		t.Errorf("the second start opened %s, not %s", third.host, d.host)
	}
	if r := enter(third.ticket); r.status != 200 {
		t.Errorf("the ticket of another start: %d", r.status)
	}
	if r := v.get("/"); r.status != 401 {
		t.Errorf("the session before: %d", r.status)
	}
}

// TestShowLink enters the page by what the program shows, where the browser may not open files: at the first start and at
// a second one. The form tells nothing, and what was shown holds once.
func TestShowLink(t *testing.T) {
	o := newOffice(t)
	o.config.ShowLink = true
	said := make(chan string, 2)
	o.config.Say = func(text string) { said <- text }
	o.start()
	look := func() (v *visitor, ticket string) {
		found := regexp.MustCompile(`open http://([^/]+)/enter and paste within a minute: ([0-9a-f]{32})$`).FindStringSubmatch(<-said)
		v = &visitor{office: o, host: found[1]}
		typed := map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}
		v.mustSay(v.do("GET", "/enter", nil, typed), 200, `name="ticket"`)
		return v, found[2]
	}
	for n := range 2 {
		if n == 1 {
			o.must(serve.Serve(context.Background(), o.jobs, o.config))
		}
		v, ticket := look()
		answer := v.post("/enter", url.Values{"ticket": {ticket}})
		if answer.status != 200 || len(answer.cookies) != 1 || answer.header.Get("Refresh") != "0; url=/" {
			t.Fatalf("entering: %d %s, on to %s", answer.status, answer.text, answer.header.Get("Refresh"))
		}
		if r := v.post("/enter", url.Values{"ticket": {ticket}}); r.status != 401 {
			t.Errorf("entering twice: %d", r.status)
		}
		v.cookie = answer.cookies[0].Name + "=" + answer.cookies[0].Value
		v.post("/who", url.Values{"who": {"Dana"}})
		v.mustSay(v.get("/"), 200, "Dana", "Drop tomorrow")
		v.mustNotSay(v.get("/enter"), "Dana", "Schedules")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.opened) > 0 {
		t.Errorf("opened %v", o.opened)
	}
}

// TestOnlyHere connects by every other address of this machine, and by the other loopback address.
func TestOnlyHere(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	_, port, _ := strings.Cut(v.host, ":")
	addresses, err := net.InterfaceAddrs()
	o.must(err)
	six := false
	for _, a := range addresses {
		ip := a.(*net.IPNet).IP
		if ip.IsLoopback() {
			six = six || ip.To4() == nil
			continue
		}
		if c, err := net.DialTimeout("tcp", net.JoinHostPort(ip.String(), port), time.Second); err == nil {
			c.Close()
			t.Errorf("it answers at %s", ip)
		}
	}
	if c, err := net.Dial("tcp", "127.0.0.1:"+port); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if six {
		if l, err := net.Listen("tcp", "[::1]:"+port); err == nil {
			l.Close()
			t.Error("another program may have the port at ::1")
		}
	}
}

// TestSlowClients holds many connections open: others are answered.
func TestSlowClients(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	_, port, _ := strings.Cut(v.host, ":")
	for range 200 {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		o.must(err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\nX-Slow: ", v.host)
		o.must(err)
	}
	v.mustSay(v.get("/"), 200, "Schedules")
}

// TestLock locks the page: the session is over, and a new one goes on where it was.
func TestLock(t *testing.T) {
	o := newOffice(t)
	o.config.Lock = 3 * time.Second
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	locked := v.post("/lock", nil)
	if !strings.Contains(locked.header.Get("Clear-Site-Data"), "cache") {
		t.Errorf("%v", locked.header)
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 401, "nothing is lost")
	serveAgain(o)
	v = o.enter(2)
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Gurney")
	for range 5 { // the page's own question keeps nothing open
		time.Sleep(700 * time.Millisecond)
		v.get("/state")
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 401, "locked")
}

// TestEnds ends the page that nobody uses, and leaves none of its files.
func TestEnds(t *testing.T) {
	o := newOffice(t)
	o.config.End = 300 * time.Millisecond
	o.start()
	o.lastOpened(1)
	select {
	case err := <-o.ended:
		o.ended <- err
		o.must(err)
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	left, err := filepath.Glob(filepath.Join(o.config.Folder, "*"))
	o.must(err)
	for _, path := range left {
		if filepath.Base(path) != "page.lock" {
			t.Errorf("left: %s", path)
		}
	}
}

// TestPayloads puts what browsers run into every name and value that comes from outside: each is shown
// as text.
func TestPayloads(t *testing.T) {
	payloads := []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'><svg onload=alert(1)>`, `javascript:alert(1)`, `{{.}}`, `</textarea><script>x</script>`,
		"`${alert(1)}`", `&lt;script&gt;`, `--></style><script>`, `" autofocus onfocus=alert(1) x="`, "\u202etxt.exe", `<base href=//evil.example>`,
	}
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	for i, p := range payloads {
		quoted := `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
		name := fmt.Sprintf("x%d'&amp;(1).csv", i)
		id := v.arrive(name, strings.Replace(header, "Return Time", "Return Time,"+quoted, 1)+strings.Replace(strings.Replace(faulty, "Gurney", quoted, 1), "Cy Tarn", quoted, 1))
		for _, screen := range []string{"/", "/w/" + id + "/faults", "/w/" + id + "/rows?row=2", "/w/" + id + "/book", "/w/" + id + "/columns"} {
			text := v.get(screen).text
			for _, bad := range []string{"<script>alert", "<img", "<svg", "onerror=alert(1)>", "<base", "<script>x", `" autofocus onfocus`, "</style>"} {
				if strings.Contains(text, bad) {
					t.Errorf("%s with %s has %s", screen, p, bad)
				}
			}
		}
		o.forget(id)
	}
	if r := v.post("/who", url.Values{"who": {`<script>alert(1)</script>`}}); r.status != http.StatusSeeOther || strings.Contains(v.get("/").text, "<script>alert") {
		t.Error("the person's name")
	}
}

// TestNothingLeft searches all files with their modes, after a whole session: no
// ticket and no cookie is outside the private folders.
func TestNothingLeft(t *testing.T) {
	o := newOffice(t)
	o.start()
	d := o.readDoor(o.lastOpened(1))
	v := o.enter(1)
	id := v.runs(header+good+faulty, "book")
	v.get("/w/" + id + "/faults")
	_, cookie, _ := strings.Cut(v.cookie, "=")
	o.must(filepath.WalkDir(o.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		text, readErr := os.ReadFile(path)
		if err != nil || readErr != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // there the folder keeps others out
			t.Errorf("%s may be read by others: %v", path, info.Mode())
		}
		for _, word := range []string{d.ticket, cookie} {
			if strings.Contains(string(text), word) && !strings.Contains(filepath.Base(path), "open-") {
				t.Errorf("%s has a secret", path)
			}
		}
		return nil
	}))
}
