// Package mail sends short messages to the office's people through its mail server.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// A Config says through which server mail goes, and to whom.
type Config struct {
	// Host is the mail server. On port 587, the default, and on 25 the connection begins in
	// the clear and must then be encrypted (STARTTLS). On port 465 it is encrypted from the
	// start. A server on this computer need not encrypt.
	Host string `yaml:"host" means:"the mail server, such as smtp.example, or smtp.example:465 (required)"`
	// From is the sender, and To are the recipients: a@b.example or Name <a@b.example>.
	From string   `yaml:"from" means:"the sender (required)"`
	To   []string `yaml:"to" means:"the receivers (required)"`
	// User is the account on the server; empty to send without signing in. Password is called
	// only if there is a user, once for each Send or Try. It reads PasswordFile.
	User         string                                         `yaml:"user" means:"the account, where the server wants one"`
	PasswordFile string                                         `yaml:"password_file" path:"only" means:"file with its password"`
	Password     func(context.Context) (importer.Secret, error) `yaml:"-"`
}

// timeout limits the time to connect, and then the time to send to all recipients.
const timeout = 30 * time.Second

// A Sender sends mail. It is safe for concurrent use.
type Sender struct {
	config Config
	host   string
	port   int

	// Tests set their own values; nil for those of the system.
	roots *x509.CertPool
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
}

// New returns a sender. It does not connect. The error is a sentence for a dispatcher.
func New(c Config) (*Sender, error) {
	s := &Sender{config: c, host: c.Host, port: 587}
	if host, port, err := net.SplitHostPort(c.Host); err == nil {
		s.host = host
		s.port, _ = strconv.Atoi(port)
	}
	if s.host == "" || s.port < 1 || s.port > 65535 || strings.ContainsAny(s.host, "/@: ") && net.ParseIP(s.host) == nil {
		return nil, fmt.Errorf("%q is not a mail server: write it as smtp.example.com, or smtp.example.com:465", c.Host)
	}
	if c.User != "" && c.PasswordFile == "" {
		return nil, errors.New("mail with a user takes password_file")
	}

	if _, err := mail.ParseAddress(c.From); err != nil {
		return nil, fmt.Errorf("the sender %q is not a mail address", c.From)
	}
	for _, to := range c.To {
		if _, err := mail.ParseAddress(to); err != nil {
			return nil, fmt.Errorf("the recipient %q is not a mail address", to)
		}
	}
	return s, nil
}

// A Message is plain text. It must not contain patient data, because others may read mail on
// its way.
type Message struct{ Subject, Text string }

// Send sends a message to each recipient separately, so that a refused address does not keep it
// from the others. It takes a minute at most. If nobody got the message, the error says why, in
// a sentence for a dispatcher. If only some got it, missed says who did not.
func (s *Sender) Send(ctx context.Context, m Message) (missed []string, err error) {
	client, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	mails := s.compose(m)

	// What counts is which messages the server took, not how the connection ended.
	err = client.DialAndSendWithContext(ctx, mails...)
	for i, each := range mails {
		if !each.IsDelivered() {
			missed = append(missed, fmt.Sprintf("%s: %s", s.config.To[i], s.reason(cmp.Or(each.SendError(), err))))
		}
	}

	switch {
	case len(missed) == 0:
		return nil, nil
	case len(missed) < len(mails):
		return missed, nil
	}
	return nil, s.failed("the mail was not sent", err)
}

// Try connects to the mail server and signs in, up to the point where a message would follow.
// The error is a sentence for a dispatcher.
func (s *Sender) Try(ctx context.Context) error {
	client, err := s.client(ctx)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return s.failed("no mail can be sent", err)
	}
	_ = client.Close() // the server has accepted all that matters
	return nil
}

// client returns a client for one connection.
func (s *Sender) client(ctx context.Context) (*gomail.Client, error) {
	secure := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12, RootCAs: s.roots}
	policy := gomail.TLSMandatory
	if netfailure.IsLoopback(s.host) {
		policy = gomail.TLSOpportunistic
		secure.InsecureSkipVerify = true // nobody can listen between this computer and itself
	}

	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(timeout), gomail.WithTLSPolicy(policy), gomail.WithTLSConfig(secure),
	}
	if s.port == 465 {
		options = append(options, gomail.WithSSL())
	}
	if s.dial != nil {
		options = append(options, gomail.WithDialContextFunc(s.dial))
	}

	if s.config.User != "" {
		password, err := s.config.Password(ctx)
		if err != nil {
			return nil, err
		}
		options = append(options, gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin),
			gomail.WithUsername(s.config.User), gomail.WithPassword(password.Reveal()))
	}

	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return nil, errors.New("the mail was not sent: the mail server's settings can't be used")
	}
	return client, nil
}

// compose returns the message for each recipient, in the order of the recipients.
func (s *Sender) compose(m Message) (mails []*gomail.Msg) {
	for _, to := range s.config.To {
		each := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
		_ = each.From(s.config.From) // New has parsed both addresses
		_ = each.To(to)
		each.SetDate()
		each.SetGenHeader("Auto-Submitted", "auto-generated") // no absence notes in reply
		each.Subject(m.Subject)
		each.SetBodyString(gomail.TypeTextPlain, m.Text)
		mails = append(mails, each)
	}
	return mails
}

// failed returns the error of a mail, with what to do.
func (s *Sender) failed(what string, err error) error {
	return importer.Advise(fmt.Errorf("%s: %s", what, s.reason(err)), importer.Do("correct mail in the settings, then try it", importer.SendTestMail))
}

// reason says for a dispatcher why a message was not taken. It leaves out the server's own
// words, which are for programmers and may contain anything.
func (s *Sender) reason(err error) string {
	var refused *gomail.SendError
	var answer *textproto.Error
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() != 0:
		whom := map[gomail.SendErrReason]string{gomail.ErrSMTPRcptTo: "the recipient", gomail.ErrSMTPMailFrom: "the sender " + s.config.From}[refused.Reason]
		return fmt.Sprintf("the mail server refused %s (%d)", cmp.Or(whom, "it"), refused.ErrorCode())
	case strings.Contains(err.Error(), "STARTTLS"), strings.Contains(err.Error(), "AUTH"):
		return "the mail server does not encrypt at this port (STARTTLS; often 587 or 465 does), or did not take the user name and password"
	case errors.As(err, &answer):
		return fmt.Sprintf("the mail server answered %d", answer.Code)
	}
	return netfailure.Reason(err, "the mail server")
}
