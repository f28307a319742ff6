package mapping

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// fillAddress splits an address of the form "street, unit, city, ST zip". It
// keeps an address of any other form whole, because a wrong guess at where the
// city begins would send a car elsewhere.
func fillAddress(e *importer.Event, whole string) {
	if splitAddress(e, strings.TrimRight(whole, " ,")) {
		return
	}
	e.CompleteAddress = whole
	if e.Address2 != "" {
		e.CompleteAddress, e.Address2 = whole+", "+e.Address2, ""
	}
}

// splitAddress splits an address at its commas. The last part is the ZIP, with the state before
// it or in a part of its own. The street is the first part, and the unit is everything between
// street and city. It reports false for any other form.
func splitAddress(e *importer.Event, s string) bool {
	parts := make([]string, 0, 8)
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	last := len(parts) - 1
	if last < 2 || s[0] == ',' { // with a comma first, what stands before it is not given
		return false
	}
	text, zip, together := strings.Cut(parts[last], " ")
	if !together {
		last--
		text, zip = parts[last], parts[last+1]
	}
	if last < 2 || len(text) != 2 || !usps.IsZIP(zip) { // the name of a state may be of a town: Delaware, OH
		return false
	}

	e.Address1, e.City, e.State = parts[0], parts[last-1], strings.ToUpper(text) // the checks know whether it is one
	if middle := strings.Join(parts[1:last-1], ", "); middle != "" {
		e.Address2 = strings.Trim(cleanUnit(middle)+", "+e.Address2, ", ")
	}
	e.Zip, _, _ = usps.NormalZIP(zip, e.State)
	return true
}

// cleanUnit turns "Apt . 303" into "Apt 303".
func cleanUnit(s string) string {
	return values.Clean(strings.ReplaceAll(strings.ReplaceAll(s, ".", " "), "# ", "#"))
}

// normalState writes a state's two letters in capitals. Any other text stays as
// it is.
func normalState(text string) string {
	if s := strings.TrimSuffix(text, "."); len(s) == 2 {
		return strings.ToUpper(s)
	}
	return text
}

// normalPhone writes a phone as ten digits, without the country's 1 in front. A
// text with another number of digits is left as it is, so that the checks can
// quote it. An extension is not sent, and a notice says so.
func normalPhone(r *rowContext, v cellValue) string {
	if len(v.text) == 10 && values.AllDigits(v.text) { // as nearly always
		return v.text
	}
	s, extension := v.text, ""
	if i := strings.IndexAny(s, "xXeE"); i > 0 {
		s, extension = s[:i], values.OnlyDigits(s[i:])
	}

	digits := values.OnlyDigits(s)
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	if len(digits) != 10 {
		return v.text
	}
	if extension != "" {
		r.report("phone-extension", "the phone's extension "+extension+" is not sent", "put it into the notes", v.col)
	}

	return digits
}
