package service

import (
	"errors"
	"net/url"
	"strings"

	"tripimport/importer/netfailure"
)

// CanonicalAddress returns the canonical form of a service's base address: scheme
// and host in lower case, without the scheme's own port and a slash at its end. The ledger uses it as
// part of a trip's key, and asks about any other spelling as about another address.
//
// The address must begin with https://. http:// is accepted only for a loopback
// host. The error is a sentence for a dispatcher. It does not repeat the
// address, which may contain a password by mistake.
func CanonicalAddress(baseURL string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	switch {
	case err != nil || u.Hostname() == "":
		return "", errors.New("the service's address can't be read: it should look like https://service.example.com/api")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", errors.New("the service's address holds a user name, a password, a question mark or a #: take that out, the token alone signs in")
	case u.Scheme == "http" && !netfailure.IsLoopback(u.Hostname()):
		return "", errors.New("the service's address begins with http://, which would send patient data in the clear: use https://")
	case u.Scheme != "https" && u.Scheme != "http":
		return "", errors.New("the service's address must begin with https://")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
	return u.Scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/"), nil
}
