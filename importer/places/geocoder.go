package places

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// NewGeocoder returns the geocoder of a kind: census, nominatim or geocodio. base is its address;
// empty means that of the kind. It must be https, or http on this machine. key is that of the
// office's account. The error is an *importer.InputError.
func NewGeocoder(kind, base string, key importer.Secret) (*Geocoder, error) {
	how := map[string]protocol{"census": census(), "nominatim": nominatim(), "geocodio": geocodio()}[kind]
	u, err := url.Parse(strings.TrimRight(cmp.Or(base, how.url), "/"))
	wrong := func(reason, fix string) (*Geocoder, error) {
		return nil, &importer.InputError{File: "configuration", Reason: reason, Fix: fix}
	}
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !netfailure.IsLoopback(u.Hostname())):
		return wrong("the geocoder "+kind+" has no https address", "set geocoder_url to its address, https://…; http is for this machine alone")
	case u.Hostname() == "openstreetmap.org" || strings.HasSuffix(u.Hostname(), ".openstreetmap.org"):
		return wrong("the public Nominatim server allows no lists of addresses", "use a server of your own, or another geocoder")
	case how.needsKey && key.Empty():
		return wrong("the geocoder "+kind+" needs a key", "put the account's key into TRIPIMPORT_GEOCODER_KEY")
	}

	timeout := 30 * time.Second
	if how.batch > 1 { // the answer to many queries may take minutes
		timeout = 15 * time.Minute
	}
	return &Geocoder{protocol: how, name: kind, base: u, key: key, http: &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}
