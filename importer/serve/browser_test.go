package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A browser is a real one, with a profile of its own.
type browser struct {
	*office
	ctx     context.Context
	profile string
}

// newBrowser starts Chromium, or skips the test where there is none.
func (o *office) newBrowser() *browser {
	o.Helper()
	if testing.Short() {
		o.Skip("a browser takes too long for -short")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "msedge"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		o.Skip("no Chromium on this machine")
	}
	b := &browser{office: o, profile: o.TempDir()}
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(b.profile), chromedp.Flag("no-proxy-server", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	o.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	o.Cleanup(cancel)
	b.ctx, cancel = context.WithTimeout(ctx, 4*time.Minute)
	o.Cleanup(cancel)
	b.do(chromedp.EmulateViewport(1200, 900))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + " " + document.body.innerText`))
		b.Fatalf("%v: the page says %s", err, text)
	}
}

func (b *browser) text() string {
	b.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body?.innerText ?? ""`))
	b.must(err)
	return text
}

// until waits until the page says something.
func (b *browser) until(text string) {
	b.Helper()
	for range 2400 {
		now, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.readyState === "complete" ? document.body.innerText : ""`))
		if err == nil && strings.Contains(now, text) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.Fatalf("it never says %q: %s", text, b.text())
}

// come enters the page through the last private file, and says who is there.
func (b *browser) come(n int) {
	b.Helper()
	b.do(chromedp.Navigate("file://" + b.lastOpened(n)))
	b.until("Who is here?")
	b.do(chromedp.SetValue(`input[name=who]`, "Dana"), chromedp.Click(`main button`))
	b.until("Drop tomorrow")
}

// drop chooses a schedule and brings it.
func (b *browser) drop(name, text string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	b.must(os.WriteFile(path, []byte(text), 0o600))
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	b.must(os.Chtimes(path, at, at))
	b.do(chromedp.SetUploadFiles(`input[name=file]`, []string{path}), chromedp.Click(`.drop button`))
	b.until("Saved ")
}

// press presses a button, once the page takes that for no second click of the one before.
func (b *browser) press(button string) {
	b.Helper()
	time.Sleep(600 * time.Millisecond)
	b.do(chromedp.Click(button))
}

// book presses the button that books.
func (b *browser) book() { b.press(`button.go`) }

// keys types keys.
func (b *browser) keys(keys ...string) {
	b.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// picture keeps a picture of the screen in the folder that TRIPIMPORT_PICTURES names.
func (b *browser) picture(name string) {
	b.Helper()
	folder := os.Getenv("TRIPIMPORT_PICTURES")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	b.must(err)
	b.must(os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600))
}

// faultyRows are a schedule with n more faulty rows, of two kinds.
func faultyRows(n int) string {
	var all strings.Builder
	all.WriteString(header + good)
	for i := range n {
		row := strings.ReplaceAll(faulty, "T-3,R-3,Cy Tarn", fmt.Sprintf("T-%d,R-%d,Cy Tarn", 10+i, 10+i))
		if i%2 == 1 {
			row = strings.Replace(strings.Replace(row, "Gurney", "AMB", 1), "12/2/2026", "", 1)
		}
		all.WriteString(strings.Replace(row, "2:00 PM", fmt.Sprintf("%d:%02d PM", 1+i%10, i%60), 1))
	}
	return all.String()
}

// drop2 brings another schedule.
func (b *browser) drop2(name, text string) {
	b.Helper()
	b.do(chromedp.Click(`nav a[href="/"]`))
	b.until("Drop tomorrow")
	b.drop(name, text)
}

// untilAt waits until a screen is there, whole.
func (b *browser) untilAt(path string) {
	b.Helper()
	for range 4000 {
		now, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.readyState + location.pathname + location.search`))
		if err == nil && now == "complete"+path {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatalf("it is not at %s", path)
}
