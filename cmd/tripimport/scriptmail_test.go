package main

import (
	"context"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// mailServers are the mail servers of the sessions, by the port that the session knows.
var mailServers sync.Map

// A mailServer takes any message, without encryption.
type mailServer struct {
	net.Listener
	mu    sync.Mutex
	mails []string
}

func startMailServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: mail-server")
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	ts.Check(err)
	server := &mailServer{Listener: listener}
	var served sync.WaitGroup
	served.Go(func() {
		for conn, err := server.Accept(); err == nil; conn, err = server.Accept() {
			served.Go(func() { server.talk(textproto.NewConn(conn)) })
		}
	})
	ts.Defer(func() {
		_ = server.Close()
		served.Wait()
	})
	port := strconv.Itoa(server.Addr().(*net.TCPAddr).Port)
	mailServers.Store(port, server)
	ts.Setenv("MAIL_PORT", port)
}

// talk holds one conversation. A client that is gone ends it.
func (s *mailServer) talk(conn *textproto.Conn) {
	defer conn.Close()
	conn.PrintfLine("220 mail.example ready")
	for line, err := conn.ReadLine(); err == nil; line, err = conn.ReadLine() {
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "EHLO":
			conn.PrintfLine("250-mail.example\r\n250 AUTH PLAIN LOGIN")
		case "AUTH":
			conn.PrintfLine("235 welcome")
		case "DATA":
			conn.PrintfLine("354 go on")
			mail, _ := conn.ReadDotBytes()
			s.mu.Lock()
			s.mails = append(s.mails, string(mail))
			s.mu.Unlock()
			conn.PrintfLine("250 taken")
		case "QUIT":
			conn.PrintfLine("221 bye")
			return
		default:
			conn.PrintfLine("250 ok")
		}
	}
}

func mailed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mailed N [TEXT…]")
	}
	server, ok := mailServers.Load(ts.Getenv("MAIL_PORT"))
	if !ok {
		ts.Fatalf("there is no mail server: start it with mail-server")
	}
	s := server.(*mailServer)
	s.mu.Lock()
	mails := slices.Clone(s.mails)
	s.mu.Unlock()
	if strconv.Itoa(len(mails)) != args[0] {
		ts.Fatalf("%d messages were sent, want %s:\n%s", len(mails), args[0], strings.Join(mails, "\n\n"))
	}
	for _, text := range args[1:] {
		if !strings.Contains(mails[len(mails)-1], text) {
			ts.Fatalf("%q is not in the last message:\n%s", text, mails[len(mails)-1])
		}
	}
}
