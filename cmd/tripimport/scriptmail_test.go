package main

import (
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"tripimport/importer/nightly/mail/mailtest"
)

// mailServers are the mail servers of the sessions, by the port that the session knows.
var mailServers sync.Map

func startMailServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: mail-server")
	}
	server := &mailtest.Server{Offers: "AUTH"}
	ts.Check(server.Start())
	ts.Defer(server.Stop)
	port := strconv.Itoa(server.Port())
	mailServers.Store(port, server)
	ts.Setenv("MAIL_PORT", port)
}

func mailed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mailed N [TEXT…]")
	}
	server, ok := mailServers.Load(ts.Getenv("MAIL_PORT"))
	if !ok {
		ts.Fatalf("there is no mail server: start it with mail-server")
	}
	mails := server.(*mailtest.Server).Mails()
	if strconv.Itoa(len(mails)) != args[0] {
		ts.Fatalf("%d messages were sent, want %s:\n%s", len(mails), args[0], strings.Join(mails, "\n\n"))
	}
	for _, text := range args[1:] {
		if !strings.Contains(mails[len(mails)-1], text) {
			ts.Fatalf("%q is not in the last message:\n%s", text, mails[len(mails)-1])
		}
	}
}
