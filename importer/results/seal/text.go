package seal

import (
	"strings"

	"tripimport/importer"
)

// UTF8BOM is the byte order mark that makes Excel read a CSV file as UTF-8.
const UTF8BOM = "\uFEFF"

// Escape puts an apostrophe before a text of a CSV file that a spreadsheet program would
// run as a formula. Negative numbers stay as they are. A text that begins with an
// apostrophe gets another, so that Unescape is the exact inverse of Escape.
func Escape(text string) string {
	if text == "" || !strings.ContainsRune(escapedFirst, rune(text[0])) || isNegativeNumber(text) {
		return text
	}
	return "'" + text
}

// Unescape is the inverse of Escape. Texts of workbooks are not escaped.
func Unescape(text string) string {
	if len(text) > 1 && text[0] == '\'' && strings.ContainsRune(escapedFirst, rune(text[1])) {
		return text[1:]
	}
	return text
}

// escapedFirst are the first characters of texts that Escape changes.
const escapedFirst = "=+-@\t\r\n'"

// isNegativeNumber reports whether text is a minus sign and a plain decimal number.
func isNegativeNumber(text string) bool {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	return negative && whole != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

// JoinSurplus returns the cells to the right of the input's last column as one
// text, from which SplitSurplus gets them back.
func JoinSurplus(cells []string) string {
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`)
	return strings.Join(importer.Each(cells, escape.Replace), surplusSeparator)
}

const surplusSeparator = " | "

// SplitSurplus is the inverse of JoinSurplus.
func SplitSurplus(text string) []importer.Cell {
	unescape := strings.NewReplacer(`\\`, `\`, `\|`, "|")
	var cells []importer.Cell
	for part := range strings.SplitSeq(text, surplusSeparator) {
		c := importer.Cell{Type: importer.Text, Text: unescape.Replace(part)}
		if strings.TrimSpace(c.Text) == "" {
			c.Type = importer.Empty
		}
		cells = append(cells, c)
	}
	return cells
}
