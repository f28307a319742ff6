package mail

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"sync"
)

// A server is an SMTP server on loopback, as far as RFC 5321, 3207 and 4954 matter to
// tests. It is safe for concurrent use.
type server struct {
	// Implicit encrypts from the start.
	Implicit bool
	// Offers are its extensions: STARTTLS and AUTH.
	Offers string
	// Refuse has answers by how a command begins.
	Refuse map[string]string
	// Roots trusts its certificate, which is for 127.0.0.1 and example.com.
	Roots *x509.CertPool

	net.Listener
	cert   tls.Certificate
	served sync.WaitGroup
	mu     sync.Mutex
	log    []string
	mails  []string
}

// Start starts the server on a free port.
func (s *server) Start() error {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	s.cert, s.Roots = web.TLS.Certificates[0], x509.NewCertPool()
	s.Roots.AddCert(web.Certificate())

	var err error
	s.Listener, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.served.Go(func() {
		for {
			conn, err := s.Accept()
			if err != nil {
				return
			}
			s.served.Go(func() { s.talk(conn) })
		}
	})
	return nil
}

// Stop waits for conversations to end, and stops the server.
func (s *server) Stop() {
	_ = s.Close()
	s.served.Wait()
}

// Log returns what its clients said, and "encrypted" where a handshake succeeded.
func (s *server) Log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// Mails returns the messages that it took.
func (s *server) Mails() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

func (s *server) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
}

// talk holds one conversation.
func (s *server) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	encrypt := func() {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}})
		if secure.HandshakeContext(context.Background()) == nil {
			s.note("encrypted")
		}
		conn = secure
	}
	if s.Implicit {
		encrypt()
	}
	lines := textproto.NewReader(bufio.NewReader(conn))
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	say("220 mail.example ready")
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return
		}
		s.note(line)
		if answer := s.refusal(line); answer != "" {
			say(answer)
			continue
		}
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "EHLO":
			say("250-mail.example")
			for _, x := range strings.Fields(s.Offers) {
				say("250-" + strings.ReplaceAll(x, "AUTH", "AUTH PLAIN LOGIN"))
			}
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go on")
			encrypt()
			lines = textproto.NewReader(bufio.NewReader(conn))
		case "AUTH":
			say("235 welcome")
		case "DATA":
			say("354 go on")
			mail, _ := lines.ReadDotBytes() // the client may be gone
			s.take(string(mail))
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (s *server) refusal(line string) string {
	for start, answer := range s.Refuse {
		if strings.HasPrefix(line, start) {
			return answer
		}
	}
	return ""
}

func (s *server) take(mail string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, mail)
}
