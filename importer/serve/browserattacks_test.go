package serve_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/xuri/excelize/v2"
)

// TestBrowserKeepsItsCookie has a page of another port, of the same machine, take what it can: a cookie,
// a row by a frame, an image or a request, and a change by a form. A file in the same browser tries it too.
func TestBrowserKeepsItsCookie(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	var answered atomic.Int32
	o.must(chromedp.Listen(b.ctx, func(ev any) {
		if r, ok := ev.(*network.EventResponseReceived); ok && strings.HasPrefix(r.Response.URL, "http://") && strings.Contains(r.Response.URL, "/w/") && r.Response.Status < 400 {
			answered.Add(1)
		}
	}))
	b.come(1)
	b.drop("schedule.csv", header+good+faulty)
	address, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href`))
	o.must(err)
	var mu sync.Mutex
	var cookies []string
	attack := fmt.Sprintf(`<title>other</title><iframe src=%q></iframe><img src=%[1]q>
<form method=post action=%q><input name=row value=4><input name=col value=6><input name=was value=Gurney><input name=is value=STR></form>
<script>fetch(%[1]q,{credentials:"include"}).then(r=>r.text()).then(t=>document.title="got "+t,e=>document.title="refused")</script>`, address, strings.Replace(address, "/faults", "/fix", 1))
	file := filepath.Join(t.TempDir(), "other.html")
	o.must(os.WriteFile(file, []byte(attack), 0o600))
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		cookies = append(cookies, r.Header.Get("Cookie"))
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, attack)
	}))
	defer other.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(other.URL, "http://"), ":")
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
	b.do(chromedp.Navigate("about:blank"))
	if answered.Swap(0) == 0 {
		t.Error("the page itself was not answered")
	}
	for _, name := range []string{"http://127.0.0.1:" + port, "http://localhost:" + port, "http://other.localhost:" + port, "http://" + host + ":" + port, "file://" + file} {
		for err = errors.New("not there yet"); err != nil; { // the form of the page before may still be on its way
			if err = chromedp.Do(b.ctx, chromedp.Navigate(name)); err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") {
				t.Fatal(err)
			}
		}
		title := ""
		for range 100 {
			if title, err = chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.title`)); err == nil && title != "other" {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if strings.Contains(title, "Cy Tarn") {
			t.Errorf("%s reads a row", name)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`document.forms[0].submit()`))
		time.Sleep(200 * time.Millisecond)
	}
	if n := answered.Load(); n != 0 { // a frame, an image, a request, a form
		t.Errorf("%d requests of others were answered", n)
	}
	mu.Lock()
	for i, c := range cookies {
		if strings.Contains(c, "tripimport") && i < 3 { // the last one has the page's own random name, which nobody knows
			t.Errorf("the cookie went to another name: %s", c)
		}
	}
	mu.Unlock()
	b.do(chromedp.Navigate(address))
	b.until("1 row to fix")
}

// payloads are texts that a browser would run if they were taken for anything else than text.
func payloads() []string {
	var all []string
	for i, p := range []string{
		`<script>pwned(%d)</script>`, `"><script>pwned(%d)</script>`, `'><script>pwned(%d)</script>`, `</q><script>pwned(%d)</script>`, `</title><script>pwned(%d)</script>`,
		`<img src=x onerror=pwned(%d)>`, `"><img src=x onerror=pwned(%d)>`, `'><img src=x onerror=pwned(%d)>`, `<svg onload=pwned(%d)>`, `<svg><script>pwned(%d)</script></svg>`,
		`" autofocus onfocus=pwned(%d) x="`, `' autofocus onfocus=pwned(%d) x='`, `" onmouseover=pwned(%d) x="`, `javascript:pwned(%d)`, `<a href=javascript:pwned(%d)>x</a>`,
		`<iframe srcdoc="<script>parent.pwned(%d)</script>">`, `<iframe src=javascript:pwned(%d)>`, `<body onload=pwned(%d)>`, `<details open ontoggle=pwned(%d)>`, `<video><source onerror=pwned(%d)></video>`,
		`<object data=javascript:pwned(%d)>`, `<embed src=javascript:pwned(%d)>`, `<form action=javascript:pwned(%d)><button autofocus>`, `<math href=javascript:pwned(%d)>x</math>`, `<style>@import "javascript:pwned(%d)"</style>`,
		`<base href="javascript:pwned(%d)//">`, `<meta http-equiv=refresh content="0;url=javascript:pwned(%d)">`, `<template><script>pwned(%d)</script></template>`, `<noscript><p title="</noscript><img src=x onerror=pwned(%d)>">`, `<!--><script>pwned(%d)</script>`,
		`]]><script>pwned(%d)</script>`, `\u003cscript\u003epwned(%d)\u003c/script\u003e`, `&lt;script&gt;pwned(%d)&lt;/script&gt;`, `&#60;script&#62;pwned(%d)&#60;/script&#62;`, "`${pwned(%d)}`",
		`{{pwned %d}}`, `';pwned(%d);'`, `";pwned(%d);"`, `</script><script>pwned(%d)</script>`, `<x contenteditable onblur=pwned(%d) tabindex=1 autofocus>`,
	} {
		all = append(all, fmt.Sprintf(p, i))
	}
	return all
}

// TestBrowserRunsNothing puts 40 payloads into cells, headers, the names of files, sheets and providers,
// and the person's name, and looks at every screen: nothing runs, and nothing is tried.
func TestBrowserRunsNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	tried := 0
	o.must(chromedp.Listen(b.ctx, func(ev any) {
		switch ev := ev.(type) {
		case *page.EventJavascriptDialogOpening:
			tried++
		case *log.EventEntryAdded:
			if strings.Contains(ev.Entry.Text, "Content Security Policy") {
				t.Errorf("something was tried: %s", ev.Entry.Text)
			}
		}
	}))
	b.come(1)
	book := excelize.NewFile()
	defer book.Close()
	o.must(book.SetSheetName("Sheet1", `<img src=x onerror=pwned(0)>`))
	for c, h := range strings.Split(strings.TrimSpace(header), ",") {
		at, err := excelize.CoordinatesToCellName(c+1, 1)
		o.must(err)
		o.must(book.SetCellStr(book.GetSheetName(0), at, h))
	}
	cells := strings.Split(strings.TrimSpace(faulty), ",")
	for i, p := range payloads() {
		for c, text := range cells {
			at, err := excelize.CoordinatesToCellName(c+1, i+2)
			o.must(err)
			switch c {
			case 0, 1:
				text += fmt.Sprint(i)
			case 2, 3, 5, 6: // the passenger, the provider, the space type and a street
				text = p
			}
			o.must(book.SetCellStr(book.GetSheetName(0), at, text))
		}
		at, err := excelize.CoordinatesToCellName(len(cells)+1+i, 1)
		o.must(err)
		o.must(book.SetCellStr(book.GetSheetName(0), at, p))
	}
	whole, err := book.WriteToBuffer()
	o.must(err)
	b.drop(`x' onfocus=pwned(1) y='&lt;img&gt;.xlsx`, whole.String())
	b.until("40 rows to fix")
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname.replace("/faults", "")`))
	o.must(err)
	for _, path := range []string{at + "/faults", at + "/rows?row=2&sheet=%3Cimg%20src%3Dx%20onerror%3Dpwned(0)%3E", at + "/rows", at + "/columns", at + "/book", "/", "/morning", "/runs"} {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.assign(%q)`, path)))
		b.untilAt(path)
		found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("main img, main svg, main iframe, main script, main object, main embed, main base, main meta, main style, main video, main math, [onfocus], [onload], [onerror], [onmouseover], main [contenteditable]")].map((e) => e.outerHTML).join(" ")`))
		if err != nil || found != "" {
			t.Errorf("%s: %v %s", path, err, found)
		}
	}
	if tried > 0 {
		t.Errorf("%d dialogs", tried)
	}
}

// TestBrowserKeepsNothing searches the browser's profile after a session, for what was on the screen and
// what was typed.
func TestBrowserKeepsNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("larkspur-schedule.csv", header+good+strings.Replace(faulty, "Gurney", "Palanquin", 1))
	b.do(chromedp.SetValue(`input.fault`, "Sedanchair"))
	b.press(`td form button`)
	b.until("Sedanchair")
	b.do(chromedp.Click(`form[action="/lock"] button`))
	b.until("nothing is lost")
	o.must(chromedp.Cancel(b.ctx))
	found := 0
	o.must(filepath.WalkDir(b.profile, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		found++
		text, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // the browser has just removed it
		}
		for _, word := range []string{"Cy Tarn", "Palanquin", "Sedanchair", "Ada Quill", "larkspur-schedule"} {
			if strings.Contains(string(text), word) || strings.Contains(strings.ReplaceAll(string(text), "\x00", ""), word) {
				t.Errorf("%s has %s", path, word)
			}
		}
		return nil
	}))
	if found == 0 {
		t.Error("the profile was not searched")
	}
}
