package places_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// batch sends lines in the form that the Census Bureau takes.
func batch(t *testing.T, s *fakeGeocoder, lines string) (int, string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("addressFile", "a.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, lines); err != nil {
		t.Fatal(err)
	}
	_ = form.WriteField("benchmark", "Public_AR_Current")
	_ = form.Close()
	resp, err := http.Post(s.URL+"/geocoder/locations/addressbatch", form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestCensusForm(t *testing.T) {
	s := start(t)
	status, got := batch(t, s, "1,12 Alder Way,Dearborn,MI,48124\n2,3 Nowhere Ln,Dearborn,MI,48124\n3,3 Double Ln,Dearborn,MI,48124\n4,3 Roughly Ln,Dearborn,MI,48124\n")
	if status != http.StatusOK {
		t.Fatal(status, got)
	}
	for _, want := range []string{
		`"1","12 Alder Way, Dearborn, MI, 48124","Match","Exact","12 ALDER WAY, DEARBORN, MI, 48124","-8`,
		`"2","3 Nowhere Ln, Dearborn, MI, 48124","No_Match"` + "\n",
		`"3","3 Double Ln, Dearborn, MI, 48124","Tie"` + "\n",
		`"4","3 Roughly Ln, Dearborn, MI, 48124","Match","Non_Exact","3 ROUGHLEY LN, `,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if _, again := batch(t, s, "7,12 Alder Way,Dearborn,MI,48124\n"); again[4:] != got[strings.Index(got, `"1"`)+4:] {
		t.Errorf("the same address is elsewhere: %s", again)
	}
}

func TestCensusTakesTenThousandLines(t *testing.T) {
	s := start(t)
	var lines strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&lines, "%d,12 Alder Way,Dearborn,MI,48124\n", i)
	}
	if status, _ := batch(t, s, lines.String()); status != http.StatusBadRequest {
		t.Errorf("10,001 lines: status %d", status)
	}
	if got := s.received(); len(got) != 1 || got[0].Addresses != 10_001 {
		t.Errorf("recorded %d requests", len(got))
	}
}

// TestBadRequests holds that a request that breaks the protocol fails.
func TestBadRequests(t *testing.T) {
	s := start(t)
	for _, tc := range []struct {
		path, body string
		status     int
	}{
		{"/search?q=Elm", "", http.StatusBadRequest},
		{"/v1.7/geocode", "{}", http.StatusForbidden},
		{"/v1.7/geocode?api_key=k", "[]", http.StatusUnprocessableEntity},
		{"/elsewhere", "", http.StatusNotFound},
	} {
		method := http.MethodGet
		if tc.body != "" {
			method = http.MethodPost
		}
		req, err := http.NewRequest(method, s.URL+tc.path, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tc.status {
			t.Errorf("%s: status %d", tc.path, resp.StatusCode)
		}
	}
}
