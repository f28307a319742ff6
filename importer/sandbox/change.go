package sandbox

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A change is the body of a property change.
type change struct {
	Key        string     `json:"tp_api_key"`
	GUID       string     `json:"trip_guid"`
	Properties []property `json:"properties_to_change"`
}

type property struct {
	Key   string `json:"Key"`
	Value string `json:"Value"`
}

// readChange validates the body of a change against the schema and returns it,
// or what is wrong with it.
func readChange(schema *jsonschema.Schema, b body) (ch change, wrong []string) {
	if wrong = violations(schema, b); wrong == nil {
		_ = json.Unmarshal(b.text, &ch) // the schema has proved that it can be read
	}
	return ch, wrong
}

// apply sets the new values of a trip, in their order. It returns a sentence for
// everything that is wrong with the values, or with the trip's times after the change.
func (ch change) apply(values map[string]string) []string {
	var broken []string
	for _, p := range ch.Properties {
		if violation := p.violation(); violation != "" {
			broken = append(broken, p.Key+" "+violation)
		}
		values[p.Key] = p.Value
	}

	if broken != nil {
		return broken
	}
	return brokenTimes(values)
}

// violation returns what is wrong with a value by itself, or "". Numbers
// are sent as texts and must parse.
func (p property) violation() string {
	_, part, dotted := strings.Cut(p.Key, ".")
	if !dotted {
		part = p.Key
	}

	good, violation := true, ""
	switch part {
	case "trip_type":
		good, violation = p.Value == "1" || p.Value == "2" || p.Value == "3", "is none of 1, 2 and 3"
	case "billable_distance":
		good, violation = isNumber(p.Value, 0, math.MaxFloat64), "is not a distance"
	case "event_location.latitude":
		good, violation = isNumber(p.Value, -90, 90), "is not a latitude"
	case "event_location.longitude":
		good, violation = isNumber(p.Value, -180, 180), "is not a longitude"
	case "additional_passengers":
		good, violation = isPassengers(p.Value), "is not of the form <SPACE_TYPE>|<COUNT>;<SPACE_TYPE>|<COUNT>"
	case "space_type":
		good, violation = strings.TrimSpace(p.Value) != "", "is blank"
	}
	if good {
		return ""
	}
	return violation
}

func isNumber(text string, low, high float64) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v >= low && v <= high
}

// isPassengers reports whether a text lists additional passengers in the form of
// the change operation: AMB|1;WCH|2.
func isPassengers(text string) bool {
	for entry := range strings.SplitSeq(text, ";") {
		spaceType, count, ok := strings.Cut(entry, "|")
		n, err := strconv.Atoi(count)
		if !ok || strings.TrimSpace(spaceType) == "" || err != nil || n < 1 {
			return false
		}
	}
	return true
}
