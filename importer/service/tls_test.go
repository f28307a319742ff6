package service

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	stdlog "log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
)

// An issuer signs certificates for tests.
type issuer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newIssuer(t *testing.T) issuer {
	t.Helper()
	i := issuer{}
	i.cert, i.key = i.sign(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "test issuer"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	})
	return i
}

// sign makes a certificate. An issuer that has none itself makes it self-signed.
func (i issuer) sign(t *testing.T, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	parent, signer := i.cert, i.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// serveTLS serves over TLS with a certificate that the issuer signed.
func (i issuer) serveTLS(t *testing.T, template *x509.Certificate, edit func(*tls.Config)) string {
	t.Helper()
	if template.NotAfter.IsZero() {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	}
	cert, key := i.sign(t, template)
	s := httptest.NewUnstartedServer(answers(200, jsonType, withGUID))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}}
	if edit != nil {
		edit(s.TLS)
	}
	s.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func forLoopback() *x509.Certificate {
	return &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
}

func TestCertificatesAndEncryption(t *testing.T) {
	good, stranger := newIssuer(t), newIssuer(t)
	plain, _ := serve(t, answers(200, jsonType, withGUID))
	expired := forLoopback()
	expired.NotBefore, expired.NotAfter = time.Now().Add(-48*time.Hour), time.Now().Add(-24*time.Hour)
	for name, c := range map[string]struct {
		url  string
		want importer.ReplyKind
		says string
	}{
		"good":         {good.serveTLS(t, forLoopback(), nil), importer.ReplyCreated, ""},
		"expired":      {good.serveTLS(t, expired, nil), importer.ReplyBadCertificate, "expired"},
		"another host": {good.serveTLS(t, &x509.Certificate{DNSNames: []string{"other.example.com"}}, nil), importer.ReplyBadCertificate, "another host"},
		"stranger's":   {stranger.serveTLS(t, forLoopback(), nil), importer.ReplyBadCertificate, "trusts"},
		"self-signed":  {issuer{}.serveTLS(t, forLoopback(), nil), importer.ReplyBadCertificate, "trusts"},
		"TLS 1.1": {good.serveTLS(t, forLoopback(), func(c *tls.Config) {
			c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		}), importer.ReplyBadCertificate, "older than TLS 1.2"},
		"TLS 1.2": {good.serveTLS(t, forLoopback(), func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }), importer.ReplyCreated, ""},
		"no TLS":  {strings.Replace(plain, "http://", "https://", 1), importer.ReplyNotSent, "does not speak https"},
	} {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, c.url, nil)
			client.transport.TLSClientConfig.RootCAs = x509.NewCertPool()
			client.transport.TLSClientConfig.RootCAs.AddCert(good.cert)
			a := insert(t, client, goodTrip())
			if a.Kind != c.want || !strings.Contains(a.Message, c.says) {
				t.Errorf("got %v: %q, want %v: %q", a.Kind, a.Message, c.want, c.says)
			}
			_, err := client.Access(t.Context())
			denied := accessError(t, err)
			if c.want == importer.ReplyCreated {
				return // there was a reply, but not the list
			}
			if denied.Status != 0 || denied.Certificate != (c.want == importer.ReplyBadCertificate) || !strings.Contains(denied.Reason, c.says) {
				t.Errorf("access: %+v", denied)
			}
		})
	}
}

// A proxy that lets nothing through is named, since the service is not at fault, and
// nothing was sent. Through one that does, the trip is booked.
func TestProxies(t *testing.T) {
	good := newIssuer(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	proxy := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if status != 0 {
				w.WriteHeader(status)
				return
			}
			to, err := new(net.Dialer).DialContext(r.Context(), "tcp", r.Host)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = to.Close() }()
			from, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = from.Close() }()
			_, _ = io.WriteString(from, "HTTP/1.1 200 Connection established\r\n\r\n")
			go func() { _, _ = io.Copy(to, from) }() // ends with either connection
			_, _ = io.Copy(from, to)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for name, c := range map[string]struct {
		url  string
		want importer.ReplyKind
		says string
	}{
		"wants a password": {proxy(407), importer.ReplyNotSent, "the office's proxy, may not let it through"},
		"forbids it":       {proxy(403), importer.ReplyNotSent, "the office's proxy, may not let it through"},
		"gone":             {gone.URL, importer.ReplyNotSent, "nothing answers at the office's proxy's address"},
		"lets it through":  {proxy(0), importer.ReplyCreated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := url.Parse(c.url)
			if err != nil {
				t.Fatal(err)
			}
			client := clientOf(t, good.serveTLS(t, forLoopback(), nil), nil)
			client.transport.Proxy = http.ProxyURL(at)
			client.transport.TLSClientConfig.RootCAs = x509.NewCertPool()
			client.transport.TLSClientConfig.RootCAs.AddCert(good.cert)
			if a := insert(t, client, goodTrip()); a.Kind != c.want || !strings.Contains(a.Message, c.says) {
				t.Errorf("got %v: %q, want %v: %q", a.Kind, a.Message, c.want, c.says)
			}
		})
	}
}

// The transport speaks HTTP/1.1 only and verifies certificates.
func TestTransportIsAsStrictAsItSays(t *testing.T) {
	c := clientOf(t, "https://service.example.com", nil)
	config := c.transport.TLSClientConfig
	if config.InsecureSkipVerify || config.MinVersion != tls.VersionTLS12 || config.VerifyPeerCertificate != nil || config.VerifyConnection != nil {
		t.Errorf("the TLS configuration is %+v", config)
	}
	if p := c.transport.Protocols; !p.HTTP1() || p.HTTP2() || p.UnencryptedHTTP2() {
		t.Errorf("protocols: %v", p)
	}
	if c.transport.Proxy == nil || c.config.Timeout != time.Minute {
		t.Errorf("proxy %v, time-out %v", c.transport.Proxy != nil, c.config.Timeout)
	}
}

// The client uses HTTP/1.1 with a server that offers HTTP/2.
func TestHTTP1Only(t *testing.T) {
	good := newIssuer(t)
	cert, key := good.sign(t, &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	})
	protocol := make(chan string, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocol <- r.Proto
		answers(200, jsonType, withGUID)(w, r)
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}}
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	client := clientOf(t, s.URL, nil)
	client.transport.TLSClientConfig.RootCAs = x509.NewCertPool()
	client.transport.TLSClientConfig.RootCAs.AddCert(good.cert)
	if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyCreated {
		t.Fatalf("%v: %s", a.Kind, a.Message)
	}
	if got := <-protocol; got != "HTTP/1.1" {
		t.Errorf("spoken to in %s", got)
	}
}
