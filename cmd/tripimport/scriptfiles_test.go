package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// fileCommands are the commands of sessions for what a shell would do, so that they run
// on Windows, too.
func fileCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"found": func(ts *testscript.TestScript, neg bool, args []string) {
			usageUnless(ts, !neg && len(args) == 1, "found PATTERN")
			theOnly(ts, args[0])
		},
		"rename": func(ts *testscript.TestScript, neg bool, args []string) {
			usageUnless(ts, !neg && len(args) == 2, "rename PATTERN TO")
			ts.Check(os.Rename(theOnly(ts, args[0]), ts.MkAbs(args[1])))
		},
		"remove": func(ts *testscript.TestScript, neg bool, args []string) {
			usageUnless(ts, !neg && len(args) == 1, "remove PATTERN")
			files, err := filepath.Glob(ts.MkAbs(args[0]))
			ts.Check(err)
			usageUnless(ts, len(files) > 0, "a pattern that some files match")
			for _, f := range files {
				ts.Check(os.Remove(f))
			}
		},
		"copy": func(ts *testscript.TestScript, neg bool, args []string) {
			usageUnless(ts, !neg && len(args) == 2, "copy FOLDER NEW-FOLDER")
			ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
		},
		"hold-open": func(ts *testscript.TestScript, neg bool, args []string) {
			usageUnless(ts, !neg && len(args) == 1, "hold-open FILE")
			file, err := os.Open(ts.MkAbs(args[0]))
			ts.Check(err)
			ts.Defer(func() { _ = file.Close() })
		},
		"lines":   appendLines,
		"touch":   touch,
		"sub":     substitute,
		"capture": capture,
		"day":     writeDay,
	}
}

func usageUnless(ts *testscript.TestScript, ok bool, usage string) {
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

// appendLines appends some lines of a file to another.
func appendLines(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) == 3, "lines FROM FIRST:[LAST] TO")
	all := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	first, last, _ := strings.Cut(args[1], ":")
	from, err := strconv.Atoi(first)
	ts.Check(err)
	to := len(all)
	if last != "" {
		to, err = strconv.Atoi(last)
		ts.Check(err)
	}
	file, err := os.OpenFile(ts.MkAbs(args[2]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = file.WriteString(strings.Join(all[from-1:to], ""))
	ts.Check(err)
	ts.Check(file.Close())
}

func touch(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) > 1, "touch now|DATE FILE…")
	at := time.Now()
	if args[0] != "now" {
		var err error
		at, err = time.Parse(time.DateOnly, args[0])
		ts.Check(err)
	}
	for _, f := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(f), at, at))
	}
}

// substitute replaces in each line of a file the first match of each expression.
func substitute(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) >= 4 && len(args)%2 == 0, "sub FROM TO EXPRESSION REPLACEMENT…")
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		for i := 2; i < len(args); i += 2 {
			re := regexp.MustCompile("(?m)" + args[i])
			if at := re.FindStringSubmatchIndex(line); at != nil {
				line = line[:at[0]] + string(re.ExpandString(nil, strings.ReplaceAll(args[i+1], `\n`, "\n"), line, at)) + line[at[1]:]
			}
		}
		out.WriteString(line)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out.String()), 0o600))
}

// capture sets a variable to what the last command printed.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	last := len(args) == 3 && args[2] == "last"
	usageUnless(ts, !neg && (len(args) == 2 || last), "capture NAME EXPRESSION [last]")
	found := regexp.MustCompile("(?m)"+args[1]).FindAllStringSubmatch(ts.ReadFile("stdout")+ts.ReadFile("stderr"), -1)
	if len(found) == 0 {
		ts.Fatalf("nothing of what was printed matches %s", args[1])
	}
	match := found[0]
	if last {
		match = found[len(found)-1]
	}
	ts.Setenv(args[0], match[len(match)-1])
}

// writeDay writes a schedule of a day with so many trips. The first are cancelled, and
// those after them are moved, each by another time.
func writeDay(ts *testscript.TestScript, neg bool, args []string) {
	usageUnless(ts, !neg && len(args) == 4, "day FILE TRIPS CANCELLED MOVED")
	var n [3]int
	for i := range n {
		var err error
		n[i], err = strconv.Atoi(args[i+1])
		ts.Check(err)
	}
	var out strings.Builder
	out.WriteString("Trip ID,Rider,Status,Date,From,From LatLng,Pickup\n")
	for i := 1; i <= n[0]; i++ {
		at, status := 480+9*i, "LIVE"
		if i <= n[1] {
			status = "CANCELLED"
		} else if i <= n[1]+n[2] {
			at += 5 + 5*(i%9)
		}
		clock := time.Date(2026, 12, 2, 0, at, 0, 0, time.UTC).Format("3:04 PM")
		fmt.Fprintf(&out, "S-%d,R-%d,%s,12/2/2026,\"%d Alder Ct, Westfield, MI 48111\",\"42.%03d,-83.401\",%s\n", i, i, status, i, 300+i, clock)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o600))
}
