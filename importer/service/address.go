package service

import (
	"errors"
	"net"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/idna"
)

// CanonicalAddress gives the one form of a service's base address, so that two
// ways to write it are known to be the same service: lower-case scheme and
// host, no default port, no trailing slash. The ledger keys trips by it.
//
// The address must begin with https://; plain http is taken for this very
// computer alone. Its error is a sentence for a dispatcher and does not repeat
// the address, which may hold a password by mistake.
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
	if scheme == "http" && !isLoopback(host) {
		return "", errors.New("the service's address begins with http://, which would send patient data in the clear: use https://")
	}
	return scheme + "://" + joinPort(host, scheme, u.Port()) + canonicalPath(u), nil
}

// refuseExtras refuses what a base address may not carry.
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

// canonicalHost gives the host in lower case, without a final dot, and in
// ASCII.
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

func joinPort(host, scheme, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		return host
	}
	return host + ":" + port
}

func canonicalPath(u *url.URL) string {
	p := path.Clean("/" + u.EscapedPath())
	if p == "/" {
		return ""
	}
	return p
}

// isLoopback reports whether the host is this computer.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
