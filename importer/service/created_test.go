package service

import (
	"encoding/json"
	"strings"
	"testing"

	"tripimport/importer"
)

// classified returns what a reply proves about a trip with the id.
func classified(c *Client, status int, body, tripID string) (importer.ReplyKind, string, string) {
	trip := goodTrip()
	trip.ID = tripID
	a := c.classify(reply{sent: true, status: status, body: []byte(body)}, trip)
	return a.Kind, a.GUID, a.Message
}

func TestCreated(t *testing.T) {
	const (
		created = importer.ReplyCreated
		noGUID  = importer.ReplyCreatedNoGUID
		unclear = importer.ReplyUnclear
	)
	g := testGUID
	for _, c := range []struct {
		body string
		want importer.ReplyKind
		guid string
	}{
		{`{"trip_guid":"` + g + `"}`, created, g},
		{`{"TripGuid":"` + g + `"}`, created, g},
		{`{"TRIP_GUID":"` + strings.ToUpper(g) + `"}`, created, strings.ToUpper(g)},
		{`{"trip_guid":"{` + g + `}"}`, created, "{" + g + "}"},
		{`{"trip_guid":"` + strings.ReplaceAll(g, "-", "") + `"}`, created, strings.ReplaceAll(g, "-", "")},
		{` {"trip_guid" : "` + g + `"}` + "\r\n", created, g},
		{`{"trip_guid":"` + g + `","TripGUID":"` + strings.ToUpper(g) + `"}`, created, strings.ToUpper(g)},
		{`{"trip_guid":"` + g + `","TripGUID":null}`, created, g},

		{`{"trip_id":"T-1001"}`, noGUID, ""},
		{`{"TripId":"T-1001","trip_guid":null}`, noGUID, ""},
		{`{"trip_id":"T-1001","trip_guid":""}`, noGUID, ""},

		{`{}`, unclear, ""},
		{`{"trip_id":null}`, unclear, ""},
		{`{"trip_id":"T-1001","trip_guid":"T-1001"}`, unclear, ""},
		{`{"trip_guid":"00000000-0000-0000-0000-000000000000"}`, unclear, ""},
		{`{"trip_guid":"{00000000-0000-0000-0000-000000000000}"}`, unclear, ""},
		{`{"trip_guid":"` + g + ` "}`, unclear, ""},
		{`{"trip_guid":"` + g[:35] + `"}`, unclear, ""},
		{`{"trip_guid":"` + g[:35] + `g"}`, unclear, ""},
		{`{"trip_guid":"` + strings.Replace(g, "-", "0", 1) + `"}`, unclear, ""},
		{`{"trip_guid":"{` + g + `"}`, unclear, ""},
		{`{"trip_guid":12}`, unclear, ""},
		{`{"trip_guid":["` + g + `"]}`, unclear, ""},
		{`{"trip_guid":"` + g + `","trip_guid":"4f0c9a52-7c1e-4c58-9a7e-0d4b6f1e2a33"}`, unclear, ""},
		{`{"trip_guid":"` + g + `","TripGUID":7}`, unclear, ""},
		{`[{"trip_guid":"` + g + `"}]`, unclear, ""},
		{`"` + g + `"`, unclear, ""},
		{`null`, unclear, ""},
		{`{"trip_guid":"` + g + `"`, unclear, ""},
		{`{"trip_guid":"` + g + `"}{}`, unclear, ""},
		{`{"trip_guid":"` + g + `"},`, unclear, ""},
		{`{"trip_guid":"` + g + `",}`, unclear, ""},
		{`{'trip_guid':'` + g + `'}`, unclear, ""},
		{``, unclear, ""},
	} {
		client := clientOf(t, "https://service.example.com", nil)
		kind, guid, message := classified(client, 200, c.body, "T-1001")
		if kind != c.want || guid != c.guid {
			t.Errorf("%s: %v %q, want %v %q", c.body, kind, guid, c.want, c.guid)
		}
		if (message == "") != (kind == created) {
			t.Errorf("%s: message %q", c.body, message)
		}
	}
}

func TestTripIDThatComesBackAsANumber(t *testing.T) {
	client := clientOf(t, "https://service.example.com", nil)
	for body, want := range map[string]importer.ReplyKind{
		`{"trip_id":70411}`:   importer.ReplyCreatedNoGUID,
		`{"trip_id":70411.0}`: importer.ReplyCreatedNoGUID,
		`{"trip_id":7041}`:    importer.ReplyForeign,
		`{"trip_id":704110}`:  importer.ReplyForeign,
	} {
		if kind, _, _ := classified(client, 200, body, "70411"); kind != want {
			t.Errorf("%s: %v, want %v", body, kind, want)
		}
	}
}

func TestAnotherGUIDField(t *testing.T) {
	client := clientOf(t, "https://service.example.com", func(c *Config) { c.GUIDField = "Booking_Ref" })
	kind, guid, _ := classified(client, 200, `{"bookingRef":"`+testGUID+`","trip_guid":"x"}`, "T-1001")
	if kind != importer.ReplyCreated || guid != testGUID {
		t.Errorf("%v %q", kind, guid)
	}
}

// Whatever the reply is, only one JSON object with a GUID counts as created.
func FuzzClassify(f *testing.F) {
	for _, seed := range []string{
		withGUID, noGUID, pageBody, "", "{", "[]", "null", `{"trip_guid":"00000000-0000-0000-0000-000000000000"}`,
		withGUID + withGUID, `{"trip_guid":"` + testGUID + `","trip_guid":null}`,
	} {
		for _, status := range []int{200, 201, 302, 400, 401, 404, 409, 429, 500} {
			f.Add(status, "application/json", seed, "7")
		}
	}
	client := clientOf(f, "https://service.example.com", nil)
	f.Fuzz(func(t *testing.T, status int, contentType, body, wait string) {
		h := map[string][]string{"Content-Type": {contentType}, "Retry-After": {wait}}
		a := client.classify(reply{sent: true, status: status, header: h, body: []byte(body)}, goodTrip())
		if a.RetryAfter < 0 {
			t.Errorf("waits for %v", a.RetryAfter)
		}
		switch a.Kind {
		case importer.ReplyCreated, importer.ReplyCreatedNoGUID:
			var object map[string]any
			if err := json.Unmarshal([]byte(body), &object); err != nil || status != 200 {
				t.Errorf("%d %q is %v", status, body, a.Kind)
			}
			if _, ok := importer.ParseGUID(a.GUID); ok != (a.Kind == importer.ReplyCreated) {
				t.Errorf("%v with GUID %q", a.Kind, a.GUID)
			}
		case importer.ReplyRefused:
			if status != 400 && status != 413 && status != 422 {
				t.Errorf("%d is refused", status)
			}
		}
		if text := sanitize(a.Message, importer.NewSecret(testToken)); len([]rune(text)) > maxMessage || strings.ContainsAny(text, "\n\r\t\x00\x1b\u202e") {
			t.Errorf("message %q", text)
		}
	})
}
