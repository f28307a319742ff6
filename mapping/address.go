package mapping

import (
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
)

var (
	// region is the end of an address: MI 48124, or TX 78723-3434.
	region = regexp.MustCompile(`^([A-Za-z]{2})\.?\s+(\d{5}(?:-?\d{4})?)$`)
	// unitWords is an apartment or the like at the end of a street line, however
	// an export has spaced it: "9 Heron Sq , Apt . 303". A number sign may stand
	// for the word. What follows has a digit or is one letter: "12 Suite Rd" is
	// a street.
	unitWords = regexp.MustCompile(`(?i)[\s,]+((?:apartment|apt|suite|ste|unit|room|rm|building|bldg|floor|lot|trlr|space|spc)\b[\s.#]*(?:[\w-]*\d[\w-]*|[a-z])|#\s*[\w-]+)$`)
)

// fillAddress takes "street, unit, city, ST zip" apart. What has another form
// stays whole: a wrong guess at where the city begins sends a car elsewhere.
func fillAddress(e *importer.Event, whole string) {
	parts := strings.Split(whole, ",")
	for i := range parts {
		parts[i] = clean(parts[i])
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if n := len(parts); n > 0 && slices.Contains([]string{"us", "usa", "unitedstates"}, bare(parts[n-1])) {
		parts = parts[:n-1]
	}
	// The state and the ZIP may be parted by a comma as well.
	if n := len(parts); n > 3 && len(parts[n-2]) == 2 {
		parts = append(parts[:n-2], parts[n-2]+" "+parts[n-1])
	}
	last := len(parts) - 1
	var end []string
	if last >= 2 {
		end = region.FindStringSubmatch(parts[last])
	}
	if end == nil {
		e.CompleteAddress = whole
		if e.Address2 != "" {
			e.CompleteAddress, e.Address2 = whole+", "+e.Address2, ""
		}
		return
	}
	e.Address1 = parts[0]
	e.Address2 = joined(tidyUnit(strings.Join(parts[1:last-1], ", ")), e.Address2)
	e.City, e.State = parts[last-1], strings.ToUpper(end[1])
	e.Zip, _ = restoreZip(end[2], e.State)
}

// cutUnit takes the apartments and the like off the end of a street line.
func cutUnit(street string) (line, unit string) {
	line = street
	for range 3 {
		m := unitWords.FindStringSubmatchIndex(line)
		if m == nil {
			break
		}
		unit = joined(tidyUnit(line[m[2]:m[3]]), unit)
		line = strings.TrimRight(line[:m[0]], " ,.")
	}
	if line == "" {
		return street, ""
	}
	return line, unit
}

// tidyUnit turns "Apt . 303" into "Apt 303".
func tidyUnit(s string) string {
	return clean(strings.ReplaceAll(strings.ReplaceAll(s, ".", " "), "# ", "#"))
}

func joined(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + ", " + b
}

// state gives the two letters in capitals; anything longer stays as written.
func state(_ *reading, f found) string {
	if s := strings.TrimSuffix(f.text, "."); len(s) == 2 {
		return strings.ToUpper(s)
	}
	return f.text
}

// phone gives ten digits, without the country's 1 in front. What has another
// number of digits stays as it is written, for the checks to quote. An
// extension can't be sent and is mentioned.
func phone(r *reading, f found) string {
	s, extension := f.text, ""
	if i := strings.IndexFunc(strings.ToLower(s), func(c rune) bool { return c == 'x' || c == 'e' }); i > 0 {
		s, extension = s[:i], onlyDigits(s[i:])
	}
	digits := onlyDigits(s)
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	if len(digits) != 10 {
		return f.text
	}
	if extension != "" {
		r.notice(codePhoneExtended, "the phone's extension "+extension+" is not sent", "put it into the notes", f.col)
	}
	return digits
}

// restoreZip puts back what spreadsheet programs drop: the zero with which the
// ZIP codes of the northeast begin, the two of Puerto Rico and the Virgin
// Islands; and the hyphen of nine digits. It reports whether a zero came back.
// Where no state says that a zero belongs there, nothing is done.
func restoreZip(zip, state string) (string, bool) {
	whole, plus, hyphen := strings.Cut(zip, "-")
	if !allDigits(whole) || hyphen && (len(plus) != 4 || !allDigits(plus)) {
		return zip, false
	}
	if !hyphen && len(whole) > 5 {
		whole, plus = whole[:len(whole)-4], whole[len(whole)-4:]
	}
	zeros := ""
	switch strings.ToUpper(state) {
	case "CT", "MA", "ME", "NH", "NJ", "RI", "VT":
		zeros = "0"
	case "PR", "VI":
		zeros = "00"
	}
	restored := zeros != "" && len(whole) == 5-len(zeros)
	if restored {
		whole = zeros + whole
	}
	if len(whole) != 5 {
		return zip, false
	}
	if plus != "" {
		whole += "-" + plus
	}
	return whole, restored
}
