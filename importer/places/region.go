package places

import "strings"

// canonicalCity gives one spelling to a city's: St. and Saint, N. and North,
// Hts and Heights.
func canonicalCity(ts []token) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = cityWord(t.s, i == 0, len(ts) > 1)
	}
	return strings.Join(out, " ")
}

func cityWord(w string, first, several bool) string {
	switch w {
	case "st":
		return "saint"
	case "ste":
		return "sainte"
	case "mt":
		return "mount"
	case "ft":
		return "fort"
	case "pt":
		return "point"
	case "twp":
		return "township"
	}
	if d := direction(w); first && several && d != "" {
		return d
	}
	if s := suffixOf(w); !first && s != "" {
		return s
	}
	return w
}

// canonicalZip gives the five digits of a ZIP, with or without its last four. A
// ZIP that lost its leading zero to a spreadsheet has it again where the state
// says so. What is no ZIP agrees with none.
func canonicalZip(s, state string) string {
	s = strings.TrimSpace(s)
	five, plus, long := strings.Cut(s, "-")
	if !long && len(s) > 5 && !strings.Contains(s, " ") {
		cut := len(s) - 4
		five, plus, long = s[:cut], s[cut:], true
	}
	if !long {
		five, plus, long = strings.Cut(s, " ")
	}
	if long && (len(plus) != 4 || !allDigits(plus)) || s != "" && !allDigits(five) {
		return "?" + s
	}
	if len(five) == 4 && zipBeginsWithZero(state) {
		return "0" + five
	}
	if s != "" && len(five) != 5 {
		return "?" + s
	}
	return five
}

func zipBeginsWithZero(state string) bool {
	switch state {
	case "CT", "MA", "ME", "NH", "NJ", "RI", "VT", "PR", "VI":
		return true
	}
	return false
}

// canonicalState gives a state's two letters by its code or its name. What is
// no state agrees with none.
func canonicalState(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), ".", "")), " ")
	if s == "" {
		return ""
	}
	if code := stateCode(s); code != "" {
		return code
	}
	return "?" + s
}

// stateCode gives the two letters of a state, the District of Columbia or a
// territory by its code or its name in lower case; empty for anything else.
func stateCode(s string) string {
	switch s {
	case "al", "alabama":
		return "AL"
	case "ak", "alaska":
		return "AK"
	case "az", "arizona":
		return "AZ"
	case "ar", "arkansas":
		return "AR"
	case "ca", "california":
		return "CA"
	case "co", "colorado":
		return "CO"
	case "ct", "connecticut":
		return "CT"
	case "de", "delaware":
		return "DE"
	case "dc", "district of columbia":
		return "DC"
	case "fl", "florida":
		return "FL"
	case "ga", "georgia":
		return "GA"
	case "hi", "hawaii":
		return "HI"
	case "id", "idaho":
		return "ID"
	case "il", "illinois":
		return "IL"
	case "in", "indiana":
		return "IN"
	case "ia", "iowa":
		return "IA"
	case "ks", "kansas":
		return "KS"
	case "ky", "kentucky":
		return "KY"
	case "la", "louisiana":
		return "LA"
	case "me", "maine":
		return "ME"
	case "md", "maryland":
		return "MD"
	case "ma", "massachusetts":
		return "MA"
	case "mi", "michigan":
		return "MI"
	case "mn", "minnesota":
		return "MN"
	case "ms", "mississippi":
		return "MS"
	case "mo", "missouri":
		return "MO"
	case "mt", "montana":
		return "MT"
	case "ne", "nebraska":
		return "NE"
	case "nv", "nevada":
		return "NV"
	case "nh", "new hampshire":
		return "NH"
	case "nj", "new jersey":
		return "NJ"
	case "nm", "new mexico":
		return "NM"
	case "ny", "new york":
		return "NY"
	case "nc", "north carolina":
		return "NC"
	case "nd", "north dakota":
		return "ND"
	case "oh", "ohio":
		return "OH"
	case "ok", "oklahoma":
		return "OK"
	case "or", "oregon":
		return "OR"
	case "pa", "pennsylvania":
		return "PA"
	case "ri", "rhode island":
		return "RI"
	case "sc", "south carolina":
		return "SC"
	case "sd", "south dakota":
		return "SD"
	case "tn", "tennessee":
		return "TN"
	case "tx", "texas":
		return "TX"
	case "ut", "utah":
		return "UT"
	case "vt", "vermont":
		return "VT"
	case "va", "virginia":
		return "VA"
	case "wa", "washington":
		return "WA"
	case "wv", "west virginia":
		return "WV"
	case "wi", "wisconsin":
		return "WI"
	case "wy", "wyoming":
		return "WY"
	case "pr", "puerto rico":
		return "PR"
	case "vi", "virgin islands":
		return "VI"
	case "gu", "guam":
		return "GU"
	case "as", "american samoa":
		return "AS"
	case "mp", "northern mariana islands":
		return "MP"
	}
	return ""
}
