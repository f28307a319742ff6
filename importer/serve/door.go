package serve

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A door is the private folder through which the page is entered: whoever may read its files is this
// system's user.
type door struct {
	folder string
	lock   *flock.Flock
}

// A control is how another start of the program finds the page that is there.
type control struct {
	Host, Secret string
	Port         int
}

// hold takes the door, or reports that a page is there already.
func (d *door) hold() (held bool, err error) {
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return false, err
	}
	d.lock = flock.New(filepath.Join(d.folder, "page.lock"), flock.SetPermissions(0o600))
	if held, err = d.lock.TryLock(); held {
		_ = os.Remove(d.controlPath()) // what a crash left: another program may have its port
	}
	return held, err
}

func (d *door) controlPath() string { return filepath.Join(d.folder, "page.json") }

// publish lets other starts of the program find the page.
func (d *door) publish(c control) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(d.controlPath(), text, 0o600)
}

// sweep removes the files whose tickets have an age, or are older.
func (d *door) sweep(age time.Duration) (err error) {
	files, _ := fs.Glob(os.DirFS(d.folder), "open-*.html") // the pattern is right
	for _, file := range files {
		path := filepath.Join(d.folder, file)
		if info, statErr := os.Stat(path); statErr == nil && time.Since(info.ModTime()) >= age {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// close gives the door up.
func (d *door) close() error {
	err := os.Remove(d.controlPath())
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, d.sweep(math.MinInt64), d.lock.Unlock())
}

// write makes the private file that takes a browser in. The ticket is in no address, no history and
// no list of processes.
func (d *door) write(host, ticket string) (path string, err error) {
	path = filepath.Join(d.folder, "open-"+randomText(8)+".html")
	text := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>tripimport</title>
<form action="http://%s%s" method="post"><input type="hidden" name="ticket" value="%s"><button>open the page</button></form>
<script>document.forms[0].submit()</script>
`, html.EscapeString(host), enterPath, html.EscapeString(ticket))
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// letIn lets a person in: by a private file in the browser or, if that can't be, by what it says. Already begins that.
func (d *door) letIn(c *Config, host, ticket, already string) error {
	if c.ShowLink {
		c.Say(fmt.Sprintf("%s; in the browser, open http://%s%s and paste within a minute: %s", already, host, enterPath, ticket))
		return nil
	}
	path, err := d.write(host, ticket)
	if err == nil {
		c.Say(already + "; if the browser does not show it, open " + path)
		c.Open(path)
	}
	return err
}

// ticketForm asks whoever has no private file for the ticket. It tells nothing, whoever is in.
func ticketForm(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "" {
		refuse(w, http.StatusNotFound, "there is no such page")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>tripimport</title>
<form action="%s" method="post" autocomplete="off"><label>What the program shows <input name="ticket" autofocus></label> <button>Go on</button></form></html>
`, enterPath) // the client may be gone
}

// secretHeader carries the control's secret.
const secretHeader = "Tripimport-Secret"

// grant answers another start of the program with a ticket.
func (c control) grant(w http.ResponseWriter, r *http.Request, newTicket func() string) {
	if !hmac.Equal([]byte(r.Header.Get(secretHeader)), []byte(c.Secret)) {
		refuse(w, http.StatusForbidden, "only the program itself may ask this")
		return
	}
	refuse(w, http.StatusOK, newTicket())
}

// ask asks the page that is there for a ticket.
func (d *door) ask(ctx context.Context) (host, ticket string, err error) {
	var c control
	text, err := os.ReadFile(d.controlPath())
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return "", "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d%s", c.Port, ticketPath), nil)
	if err != nil {
		return "", "", err
	}
	request.Host = c.Host
	request.Header.Set(secretHeader, c.Secret)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if answer.StatusCode != http.StatusOK {
		err = errors.New("another program answers in place of the page")
	}
	return c.Host, strings.TrimSpace(string(body)), err
}
