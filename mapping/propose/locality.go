package propose

import (
	"regexp"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// localityForm matches several parts of an address that share a cell: "Milwaukee, WI 53204", "Milwaukee WI",
// "WI 53204". Spaces, commas or the like separate two parts.
var localityForm = regexp.MustCompile(`^(?:([^\d,/]+?)[,/ .-]+)?([A-Za-z]{2})(?:[,/ .-]+(\d{5}(?:[- ]?\d{4})?))?$`)

// localityOf returns the parts that share a cell, at least two; none if it has no such form.
func localityOf(text string) map[importer.Field]bool {
	parts := localityForm.FindStringSubmatch(text)
	if parts == nil || parts[1]+parts[3] == "" {
		return nil
	}
	_, known := usps.StateOf(parts[2])
	plain := parts[3] == "" && parts[2] != strings.ToUpper(parts[2]) && !strings.Contains(text, ",")
	if !known || plain { // "Check in" is no city
		return nil
	}
	return map[importer.Field]bool{importer.FieldCity: parts[1] != "", importer.FieldState: true, importer.FieldZip: parts[3] != ""}
}

// combines reports whether a column has a part of an address together with another one.
func (c *column) combines(part importer.Field) bool {
	return (c.is(isLocality) || c.is(isStateZIP)) && c.share(func(v cell) bool { return localityOf(v.text)[part] }) >= nearlyAll
}
