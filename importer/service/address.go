package service

import (
	"errors"
	"net"
	"net/url"
	"path"
	"strings"

	"tripimport/importer/netfailure"

	"golang.org/x/net/idna"
)

// CanonicalAddress returns the canonical form of a service's base address: scheme
// and host in lower case, the host in ASCII and without a final dot, no default
// port, a clean path without a slash at its end. All spellings of an address
// have the same canonical form, and the ledger uses it as part of a trip's key.
//
// The address must begin with https://. http:// is accepted only for a loopback
// host. The error is a sentence for a dispatcher. It does not repeat the
// address, which may contain a password by mistake.
func CanonicalAddress(baseURL string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil || u.Opaque != "" {
		return "", errors.New("the service's address can't be read: it should look like https://service.example.com/api")
	}
	if err := checkParts(u); err != nil {
		return "", err
	}

	scheme := strings.ToLower(u.Scheme)
	if scheme != "https" && scheme != "http" {
		return "", errors.New("the service's address must begin with https://")
	}

	host, err := canonicalHost(u)
	if err != nil {
		return "", err
	}
	if scheme == "http" && !netfailure.IsLoopback(host) {
		return "", errors.New("the service's address begins with http://, which would send patient data in the clear: use https://")
	}
	return scheme + "://" + joinPort(host, scheme, u.Port()) + strings.TrimSuffix(path.Clean("/"+u.EscapedPath()), "/"), nil
}

// checkParts refuses parts that a base address must not have.
func checkParts(u *url.URL) error {
	switch {
	case u.User != nil:
		return errors.New("the service's address holds a user name or a password: take it out, the token alone signs in")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("the service's address holds a question mark or a #: leave out everything from there on")
	}

	switch last := strings.ToLower(path.Base(u.Path)); last {
	case "v1", "access", "singletrip", "withproperties":
		return errors.New("the service's address ends in /" + last + ": leave out the version and everything after it, the program adds them")
	}
	return nil
}

// canonicalHost returns the host in lower case, in ASCII and without a final dot, or an
// IP address in its shortest form.
func canonicalHost(u *url.URL) (string, error) {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip := net.ParseIP(host); ip != nil {
		return ip.String(), nil
	}

	ascii, err := idna.Lookup.ToASCII(host)
	if host == "" || err != nil {
		return "", errors.New("the service's address has no usable host name: it should look like https://service.example.com/api")
	}
	return ascii, nil
}

// joinPort returns host and port. It leaves out the scheme's default port.
func joinPort(host, scheme, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		return host
	}
	return host + ":" + port
}
