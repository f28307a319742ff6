package serve_test

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
	"tripimport/importer/serve"
)

// header, good and faulty are a schedule of invented people in the plain layout. The faulty row has a
// space type that the mapping does not know.
const (
	header = "Trip ID,Rider ID,Patient Name,Provider,Funding Source,Space Type,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude," +
		"Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time\n"
	good = "T-1,R-1,Ada Quill,Lakeshore Transit,Harborview Health,AMB,12 Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,\n" +
		"T-2,R-2,Bo Marsh,Lakeshore Transit,Harborview Health,WCH,31 Fern St,Westfield,MI,48111,42.305,-83.405,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,9:00 AM,10:00 AM,No,Yes,1:00 PM\n"
	faulty = "T-3,R-3,Cy Tarn,Lakeshore Transit,Harborview Health,Gurney,5 Gull Ln,Westfield,MI,48111,42.309,-83.409,88 Mill Rd,Westfield,MI,48111,42.331,-83.419,12/2/2026,2:00 PM,,No,No,\n"
)

// An office has a home, a ledger, a service, and the page.
type office struct {
	testing.TB
	home string
	env  map[string]string
	jobs *app.Jobs
	// inserts counts the trips that the service received, and delay is how long each takes.
	inserts atomic.Int32
	delay   time.Duration
	refused string // a rider that the service does not know
	lost    string // a rider about whom its answers are lost

	// unapproved reports that mappings must be approved, as in the program.
	unapproved bool

	config serve.Config
	mu     sync.Mutex
	opened []string // the files that were shown
	stop   context.CancelFunc
	ended  chan error
}

// TestMain runs the tests in memory. The process that TestKilledAfterAFix kills makes no folder.
func TestMain(m *testing.M) {
	if os.Getenv("TRIPIMPORT_TEST_FIX") != "" {
		os.Exit(m.Run())
	}
	if err := pgtest.AllowParallel(4); err != nil {
		panic(err)
	}
	os.Exit(ledgertest.RunInMemory(m))
}

// newOffice makes an office whose page is served.
func newOffice(t testing.TB) *office {
	t.Helper()
	o := &office{TB: t, home: t.TempDir(), ended: make(chan error, 1)}
	box, err := sandbox.New(sandbox.Config{OnRequest: func(op sandbox.Operation, _ []byte) {
		if op == sandbox.Insert {
			o.inserts.Add(1)
			time.Sleep(o.delay)
		}
	}})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && o.refused != "" && bytes.Contains(body, []byte(`"`+o.refused+`"`)) {
			o.inserts.Add(1)
			http.Error(w, `{"error": {"code": 400, "message": "rider not found"}}`, http.StatusBadRequest)
			return
		}
		if err == nil && o.lost != "" && bytes.Contains(body, []byte(`"`+o.lost+`"`)) {
			o.inserts.Add(1)
			http.Error(w, "", http.StatusInternalServerError)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		box.ServeHTTP(w, r)
	}))
	t.Cleanup(service.Close)
	o.env = map[string]string{
		"TRIPIMPORT_HOME": o.home, "TRIPIMPORT_BASE_URL": service.URL, "TRIPIMPORT_TOKEN": sandbox.DefaultToken,
		"TRIPIMPORT_MARKS": t.TempDir(), "TRIPIMPORT_RATE": "0",
	}
	env := o.environment()
	a, err := app.New(env, nil)
	o.must(err)
	_, _, err = a.NewLedger(context.Background())
	o.must(err)
	o.jobs = app.NewJobs(env, nil)
	o.config = serve.Config{
		Folder: filepath.Join(o.home, "page"),
		Open: func(path string) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.opened = append(o.opened, path)
		},
		Say: func(string) {},
	}
	return o
}

// mustApprove makes the office's page refuse what nobody has approved, as the program does.
func (o *office) mustApprove() {
	o.unapproved = true
	o.jobs = app.NewJobs(o.environment(), nil)
}

// environment returns the surroundings of the office's jobs.
func (o *office) environment() app.Environment {
	return app.Environment{
		Approved: !o.unapproved,
		Clock:    importer.SetClock{Today: importer.Date{Year: 2026, Month: 11, Day: 21}},
		Lookup:   func(name string) (string, bool) { value, ok := o.env[name]; return value, ok },
	}
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// start serves the page until the test ends.
func (o *office) start() {
	o.Helper()
	ctx, stop := context.WithCancel(context.Background())
	o.stop = stop
	go func() { o.ended <- serve.Serve(ctx, o.jobs, o.config) }()
	o.Cleanup(func() {
		stop()
		select {
		case err := <-o.ended:
			o.ended <- err
			if err != nil {
				o.Error(err)
			}
		case <-time.After(time.Minute):
			o.Error("the page does not end")
		}
	})
}

// lastOpened waits for the n-th file that was shown, and returns it.
func (o *office) lastOpened(n int) string {
	o.Helper()
	for range 6000 {
		o.mu.Lock()
		opened := o.opened
		o.mu.Unlock()
		if len(opened) >= n {
			return opened[n-1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	o.Fatalf("%d files were shown, not %d", len(o.opened), n)
	return ""
}

// A door is what a private file has.
type door struct{ host, ticket string }

func (o *office) readDoor(path string) door {
	o.Helper()
	text, err := os.ReadFile(path)
	o.must(err)
	found := regexp.MustCompile(`action="http://([^/]+)/enter".*value="([0-9a-f]+)"`).FindSubmatch(text)
	if found == nil {
		o.Fatalf("no address and ticket in %s", text)
	}
	return door{string(found[1]), string(found[2])}
}

// A visitor is a browser, as far as the page can tell.
type visitor struct {
	*office
	host, cookie string
}

// enter enters through the n-th private file, and says who is there.
func (o *office) enter(n int) *visitor {
	o.Helper()
	d := o.readDoor(o.lastOpened(n))
	v := &visitor{office: o, host: d.host}
	answer := v.do("POST", "/enter", url.Values{"ticket": {d.ticket}}, map[string]string{"Sec-Fetch-Site": "cross-site"})
	if answer.status != http.StatusOK || len(answer.cookies) != 1 {
		o.Fatalf("entering: %d %s", answer.status, answer.text)
	}
	v.cookie = answer.cookies[0].Name + "=" + answer.cookies[0].Value
	v.post("/who", url.Values{"who": {"Dana"}})
	return v
}

type reply struct {
	status   int
	text     string
	header   http.Header
	cookies  []*http.Cookie
	location string
}

// do asks as a program that may set every header. An empty value takes a header away.
func (v *visitor) do(method, path string, form url.Values, header map[string]string) reply {
	v.Helper()
	_, port, _ := strings.Cut(v.host, ":")
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	return v.send("127.0.0.1:"+port, method, path, body, header)
}

func (v *visitor) send(address, method, path string, body io.Reader, header map[string]string) reply {
	v.Helper()
	r, err := http.NewRequest(method, "http://"+address+path, body)
	v.must(err)
	r.Host = v.host
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for name, value := range header {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(r)
	v.must(err)
	text, err := io.ReadAll(answer.Body)
	v.must(err)
	v.must(answer.Body.Close())
	return reply{answer.StatusCode, string(text), answer.Header, answer.Cookies(), answer.Header.Get("Location")}
}

func (v *visitor) get(path string) reply {
	v.Helper()
	return v.do("GET", path, nil, nil)
}

func (v *visitor) post(path string, form url.Values) reply {
	v.Helper()
	return v.do("POST", path, form, nil)
}

// arrive drops a schedule, and returns its id.
func (v *visitor) arrive(name, text string) string {
	v.Helper()
	var body strings.Builder
	m := multipart.NewWriter(&body)
	v.must(m.WriteField("modified", strconv.FormatInt(time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC).UnixMilli(), 10)))
	part, err := m.CreateFormFile("file", name)
	v.must(err)
	_, err = io.WriteString(part, text)
	v.must(err)
	v.must(m.Close())
	_, port, _ := strings.Cut(v.host, ":")
	answer := v.send("127.0.0.1:"+port, "POST", "/arrive", strings.NewReader(body.String()), map[string]string{"Content-Type": m.FormDataContentType()})
	id, ok := strings.CutPrefix(strings.TrimSuffix(answer.location, "/faults"), "/w/")
	if !ok {
		v.Fatalf("bringing %s: %d %s", name, answer.status, answer.text)
	}
	return id
}

// mustSay fails unless a screen has each of the texts.
func (v *visitor) mustSay(r reply, status int, texts ...string) {
	v.Helper()
	if r.status != status {
		v.Errorf("status %d, want %d: %s", r.status, status, r.text)
	}
	for _, text := range texts {
		if !strings.Contains(r.text, text) {
			v.Errorf("it does not say %q: %s", text, r.text)
		}
	}
}

// plan plans a run, and returns the form that starts it, with yes to everything.
func (v *visitor) plan(id, kind string) url.Values {
	v.Helper()
	if r := v.post("/w/"+id+"/plan", url.Values{"kind": {kind}}); r.status != http.StatusSeeOther {
		v.Fatalf("planning: %d %s", r.status, r.text)
	}
	text := v.get("/w/" + id + "/book").text
	form := url.Values{}
	if found := regexp.MustCompile(`name="plan" value="([^"]+)"`).FindStringSubmatch(text); found != nil {
		form.Set("plan", found[1])
	}
	for _, found := range regexp.MustCompile(`name="(ask-[0-9a-f]+)" value="yes"`).FindAllStringSubmatch(text, -1) {
		form.Set(found[1], "yes")
	}
	return form
}

// answerTo fills in the list's form of an answer, the first that stands after the text `after`.
func (v *visitor) answerTo(screen reply, after, word string) url.Values {
	v.Helper()
	_, rest, found := strings.Cut(screen.text, after)
	item := itemToAnswer.FindStringSubmatch(rest)
	if !found || item == nil {
		v.Fatalf("nothing to answer after %q: %s", after, plainText(screen.text))
	}
	return url.Values{"item": {item[1]}, "saw": {item[2]}, "answer": {word}}
}

var itemToAnswer = regexp.MustCompile(`name="item" value="([0-9a-f]+)"><input type="hidden" name="saw" value="([^"]+)"`)

// untilEnded waits until no run goes on.
func (v *visitor) untilEnded() {
	v.Helper()
	for range 6000 {
		if r := v.get("/state"); r.status != http.StatusOK || !strings.Contains(r.text, "data-going") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	v.Fatal("the run does not end")
}

func fixOf(row, col int, was, is string) url.Values {
	return url.Values{"row": {strconv.Itoa(row)}, "col": {strconv.Itoa(col)}, "was": {was}, "is": {is}}
}

// spaceType is the column of the space type.
const spaceType = 6

// serveAgain starts the program again while its page is served, and returns what it opens.
func serveAgain(o *office) door {
	o.Helper()
	o.mu.Lock()
	n := len(o.opened)
	o.mu.Unlock()
	o.must(serve.Serve(context.Background(), o.jobs, o.config))
	return o.readDoor(o.lastOpened(n + 1))
}
