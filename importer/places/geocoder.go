package places

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// protocols returns how each kind of geocoder is asked. The setting geocoder takes these kinds.
func protocols() map[string]protocol {
	return map[string]protocol{
		"census":    {url: "https://geocoding.geo.census.gov/geocoder", batch: 10_000, ask: askCensus, read: readCensus},
		"geocodio":  {url: "https://api-hipaa.geocod.io", batch: 10_000, needsKey: true, ask: askGeocodio, read: readGeocodio},
		"nominatim": {batch: 1, ask: askNominatim, read: readNominatim},
	}
}

// Kinds returns the kinds of geocoders.
func Kinds() []string { return slices.Sorted(maps.Keys(protocols())) }

// NewGeocoder returns the geocoder of one of the Kinds. base is its address; empty means that of the
// kind. It must be https, or http on this machine. key is that of the office's account. The error is an *importer.InputError.
func NewGeocoder(kind, base string, key importer.Secret) (*Geocoder, error) {
	how := protocols()[kind]
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
