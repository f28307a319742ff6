package service

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

func accessError(t *testing.T, err error) *importer.AccessError {
	t.Helper()
	var denied *importer.AccessError
	if !errors.As(err, &denied) {
		t.Fatalf("got %v, want an *importer.AccessError", err)
	}
	return denied
}

func TestAccess(t *testing.T) {
	list := "\ufeff" + `[{"APIKey":"key-1","TranportationProviderName":"Lakeshore Transit","FundingSources":[
		{"FundingSourceId":4,"FundingSourceName":"Northwind Health Plan","Added":true}]},
		{"APIKey":"key-2","TranportationProviderName":"Pine Valley Rides","FundingSources":[]}]`
	url, got := serve(t, answers(200, jsonType, list))
	access, err := clientOf(t, url, nil).Access(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := importer.Access{Providers: []importer.Provider{
		{Name: "Lakeshore Transit", Key: importer.NewSecret("key-1"), FundingSources: []importer.FundingSource{{ID: 4, Name: "Northwind Health Plan"}}},
		{Name: "Pine Valley Rides", Key: importer.NewSecret("key-2")},
	}}
	if diff := cmp.Diff(want, access, cmp.AllowUnexported(importer.Secret{})); diff != "" {
		t.Error(diff)
	}
	r := got()[0]
	if r.method != "GET" || r.path != "/v1/access" || r.body != "" ||
		r.header.Get("Authorization") != "bearer "+testToken || r.header.Get("Content-Type") != "" {
		t.Errorf("asked with %+v", r)
	}
}

func TestAccessThatIsNotTheList(t *testing.T) {
	for name, c := range map[string]struct {
		status      int
		contentType string
		body, says  string
	}{
		"401":             {401, jsonType, `{"message":"` + testToken + `"}`, "does not accept the token"},
		"401 with a page": {401, "text/html", pageBody, "does not accept the token"},
		"403":             {403, jsonType, "", "HTTP status 403"},
		"404":             {404, jsonType, "", "HTTP status 404"},
		"302":             {302, jsonType, "", "not followed"},
		"429":             {429, jsonType, "", "HTTP status 429"},
		"500":             {500, jsonType, "", "HTTP status 500"},
		"204":             {204, jsonType, "", "does not say whether"},
		"a page":          {200, "text/html", pageBody, "a web page"},
		"an object":       {200, jsonType, `{"APIKey":"k"}`, "can't be read"},
		"null":            {200, jsonType, `null`, "can't be read"},
		"cut":             {200, jsonType, `[{"APIKey":"k"`, "can't be read"},
		"surplus":         {200, jsonType, `[] []`, "can't be read"},
		"an id as text":   {200, jsonType, `[{"APIKey":"k","TranportationProviderName":"P","FundingSources":[{"FundingSourceId":"4"}]}]`, "can't be read"},
		"no key":          {200, jsonType, `[{"TranportationProviderName":"P","FundingSources":[]}]`, "without a name or a key"},
		"a corrected name": {
			200, jsonType, `[{"APIKey":"k","TransportationProviderName":"P","FundingSources":[]}]`,
			"without a name or a key",
		},
		"too long": {200, jsonType, "[" + strings.Repeat(" ", maxBody), "longer than 1 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, answers(c.status, c.contentType, c.body))
			_, err := clientOf(t, url, nil).Access(t.Context())
			denied := accessError(t, err)
			if denied.Status != c.status || denied.Denied() != (c.status == 401) || !strings.Contains(denied.Reason, c.says) {
				t.Errorf("got %+v, want %q", denied, c.says)
			}
			if strings.Contains(denied.Reason, testToken) {
				t.Error("the reason holds the token")
			}
			if strings.Contains(denied.Reason, "check the address") { // the caller says what to do, which may be to wait
				t.Error(denied.Reason)
			}
		})
	}
}
