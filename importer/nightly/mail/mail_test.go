package mail

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net"
	netmail "net/mail"
	"strings"
	"testing"

	"tripimport/importer"
)

func start(t *testing.T, s *server) *server {
	t.Helper()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// sender returns a sender whose mail goes to the server, whatever the host's name.
func sender(t *testing.T, s *server, host string, edit func(*Config)) *Sender {
	t.Helper()
	c := Config{Host: host, From: "Night <night@lakeshore.example>", To: []string{"ana@lakeshore.example"}}
	if edit != nil {
		edit(&c)
	}
	sender, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	sender.roots = s.Roots
	sender.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, s.Addr().String())
		if err == nil {
			t.Cleanup(func() { _ = conn.Close() })
		}
		if err == nil && s.Implicit {
			conn = tls.Client(conn, &tls.Config{ServerName: sender.host, RootCAs: s.Roots})
		}
		return conn, err
	}
	return sender
}

func signIn(password string) func(*Config) {
	return func(c *Config) {
		c.User, c.PasswordFile = "night", "password"
		c.Password = func(context.Context) (importer.Secret, error) { return importer.NewSecret(password), nil }
	}
}

var message = Message{Subject: "ACT 2 before 05:40 · list 31 (usual 20–45)", Text: "548 booked.\n.\nNothing else — tonight.\n"}

func TestAMessageArrives(t *testing.T) {
	s := start(t, &server{Offers: "STARTTLS AUTH"})
	if missed, err := sender(t, s, "example.com", signIn("correct horse")).Send(t.Context(), message); err != nil || missed != nil {
		t.Fatal(missed, err)
	}

	auth := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00night\x00correct horse"))
	if got := strings.Join(s.Log(), "\n"); !strings.Contains(got, "STARTTLS\nencrypted\nEHLO") || !strings.Contains(got, auth) {
		t.Errorf("the conversation was\n%s", got)
	}

	got, err := netmail.ReadMessage(strings.NewReader(s.Mails()[0]))
	if err != nil {
		t.Fatal(err)
	}
	subject, _ := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	for what, pair := range map[string][2]string{
		"subject": {subject, message.Subject},
		"to":      {got.Header.Get("To"), "<ana@lakeshore.example>"},
		"from":    {got.Header.Get("From"), `"Night" <night@lakeshore.example>`},
		"auto":    {got.Header.Get("Auto-Submitted"), "auto-generated"},
		"type":    {got.Header.Get("Content-Type"), "text/plain; charset=UTF-8"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
	if date, err := got.Header.Date(); err != nil || date.IsZero() {
		t.Errorf("the date is %v, %v", date, err)
	}
	body, _ := io.ReadAll(got.Body)
	if !strings.Contains(string(body), "548 booked.") || !strings.Contains(string(body), "=E2=80=94 tonight") {
		t.Errorf("the text is %q", body)
	}
}

// TestEncryption shows that only a server on this computer may go without encryption, and that
// no password is sent in the clear.
func TestEncryption(t *testing.T) {
	for name, test := range map[string]struct {
		server *server
		host   string
		says   string
	}{
		"it encrypts":                     {&server{Offers: "STARTTLS AUTH"}, "example.com", ""},
		"it encrypts from the start":      {&server{Implicit: true, Offers: "AUTH"}, "example.com:465", ""},
		"it does not":                     {&server{Offers: "AUTH"}, "example.com", "does not encrypt"},
		"another's certificate":           {&server{Offers: "STARTTLS AUTH"}, "mail.example", "another host name"},
		"on this computer":                {&server{}, "127.0.0.1", ""},
		"on this computer, it encrypts":   {&server{Offers: "STARTTLS"}, "localhost", ""},
		"it encrypts, then speaks no TLS": {&server{Offers: "STARTTLS", Refuse: map[string]string{"STARTTLS": "454 not now"}}, "example.com", "answered 454"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, test.server)
			edit := signIn("correct horse")
			if !strings.Contains(s.Offers, "AUTH") {
				edit = nil
			}
			_, err := sender(t, s, test.host, edit).Send(t.Context(), message)
			switch {
			case test.says == "" && (err != nil || len(s.Mails()) != 1):
				t.Errorf("%v, %d mails", err, len(s.Mails()))
			case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
				t.Errorf("it says %v, want %q", err, test.says)
			case test.says != "" && (strings.Contains(strings.Join(s.Log(), "\n"), "\nMAIL") || strings.Contains(strings.Join(s.Log(), "\n"), "\nAUTH")):
				t.Errorf("it went on: %v", s.Log())
			}
		})
	}
}

// TestRefusals compares the messages for mail that the server does not take.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		refuse, answer, says string
	}{
		"the password":  {"AUTH", "535 5.7.8 secret-words", "did not take the user name and password"},
		"the sender":    {"MAIL", "553 secret-words", "refused the sender Night <night@lakeshore.example> (553)"},
		"the recipient": {"RCPT", "550 secret-words", "refused the recipient (550)"},
		"the data":      {"DATA", "451 secret-words", "refused it (451)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, &server{Offers: "STARTTLS AUTH", Refuse: map[string]string{test.refuse: test.answer}})
			_, err := sender(t, s, "example.com", signIn("correct horse")).Send(t.Context(), message)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it says %v, want %q", err, test.says)
			}
			if err != nil && (strings.Contains(err.Error(), "secret-words") || strings.Contains(err.Error(), "correct horse")) {
				t.Errorf("it repeats what it must not: %v", err)
			}
		})
	}
}

func TestOneBadAddressKeepsItFromNobody(t *testing.T) {
	s := start(t, &server{Offers: "STARTTLS", Refuse: map[string]string{"RCPT TO:<gone@lakeshore.example>": "550 no such user"}})
	night := sender(t, s, "example.com", func(c *Config) {
		c.To = []string{"ana@lakeshore.example", "gone@lakeshore.example", "Bo Li <bo@lakeshore.example>"}
	})
	missed, err := night.Send(t.Context(), message)
	if err != nil || len(missed) != 1 || missed[0] != "gone@lakeshore.example: the mail server refused the recipient (550)" {
		t.Errorf("missed %q, %v", missed, err)
	}
	if len(s.Mails()) != 2 {
		t.Errorf("%d mails, want 2", len(s.Mails()))
	}
}

// A message counts as sent once the server took it, however the connection ends.
func TestAMessageThatWasTakenIsNotAFailure(t *testing.T) {
	s := start(t, &server{Offers: "STARTTLS", Refuse: map[string]string{"QUIT": "500 no", "RSET": "500 no"}})
	if missed, err := sender(t, s, "example.com", nil).Send(t.Context(), message); err != nil || missed != nil {
		t.Errorf("missed %q, %v", missed, err)
	}
	if err := sender(t, s, "example.com", nil).Try(t.Context()); err != nil || len(s.Mails()) != 1 {
		t.Errorf("tried without a message: %v, %d mails", err, len(s.Mails()))
	}
}

func TestNoServerAndNoPassword(t *testing.T) {
	s := start(t, &server{})
	night := sender(t, s, "127.0.0.1", func(c *Config) {
		c.User, c.PasswordFile, c.Password = "night", "password", func(context.Context) (importer.Secret, error) {
			return importer.Secret{}, errors.New("the password file can't be read")
		}
	})
	if _, err := night.Send(t.Context(), message); err == nil || err.Error() != "the password file can't be read" {
		t.Errorf("it says %v", err)
	}

	night = sender(t, s, "127.0.0.1", nil)
	_ = s.Close()
	if _, err := night.Send(t.Context(), message); err == nil || !strings.Contains(err.Error(), "nothing answers at the mail server's address") {
		t.Errorf("it says %v", err)
	}
	if err := night.Try(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing answers at the mail server's address") {
		t.Errorf("it says %v", err)
	}
}

func TestConfigurations(t *testing.T) {
	good := Config{Host: "smtp.example.com", From: "night@lakeshore.example", To: []string{"ana@lakeshore.example"}}
	for name, test := range map[string]struct {
		edit func(*Config)
		ok   bool
	}{
		"good":            {func(*Config) {}, true},
		"an IPv6 address": {func(c *Config) { c.Host = "::1" }, true},
		"no server":       {func(c *Config) { c.Host = "" }, false},
		"a web address":   {func(c *Config) { c.Host = "https://smtp.example.com" }, false},
		"port in host":    {func(c *Config) { c.Host = "smtp.example.com:25" }, true},
		"no such port":    {func(c *Config) { c.Host = "smtp.example.com:70000" }, false},
		"no sender":       {func(c *Config) { c.From = "" }, false},
		"not an address":  {func(c *Config) { c.To = []string{"ana"} }, false},
		"a second header": {func(c *Config) { c.To = []string{"ana@lakeshore.example\r\nBcc: x@y.example"} }, false},
	} {
		c := good
		test.edit(&c)
		if _, err := New(c); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
