package results

import "strconv"

// The headers of our own columns. They are how Open finds them again, so they
// are part of the format.
const (
	statusHeader  = "Status"
	guidHeader    = "Trip GUID"
	problemHeader = "Problem"
	mendHeader    = "How to mend it"
	whereHeader   = "Where"
	noticeHeader  = "Notice"
	foundHeader   = "What we found"
	needsHeader   = "Needs"
	rowHeader     = "Row"
	keyHeader     = "tripimport key"
	beyondHeader  = "Beyond the last column"
)

// The sheets' names. People may rename all but the hidden one.
const (
	summarySheet  = "Summary"
	resultsSheet  = "Results"
	tripsSheet    = "Trips"
	ridersSheet   = "New riders"
	identitySheet = "tripimport"
)

// rehearsalBanner is the first line of every sheet of a rehearsal.
const rehearsalBanner = "REHEARSAL: nothing was booked"

// checkBanner is the first line of a check's Summary.
const checkBanner = "CHECK: nothing was sent"

// ownHeaders gives the headers of our visible columns.
func ownHeaders(legs int) []string {
	headers := []string{statusHeader, guidHeader}
	for leg := 2; leg <= legs; leg++ {
		headers = append(headers, guidHeader+" "+strconv.Itoa(leg))
	}
	return append(headers, problemHeader, mendHeader, whereHeader, noticeHeader, foundHeader, needsHeader, rowHeader)
}

// allOwnHeaders are all headers that a source column must not have.
func allOwnHeaders(legs int) []string {
	return append(ownHeaders(max(legs, 9)), keyHeader, beyondHeader)
}

// ownTexts gives a line's own cells in the order of ownHeaders; the row's
// number comes last and is a number.
func (l *line) ownTexts() []string {
	texts := append([]string{l.status}, l.guids...)
	return append(texts, lines(l.problem), lines(l.mend), lines(l.where), lines(l.notice), "", string(l.needs))
}

// lines puts several texts into one cell, a line each.
func lines(texts []string) string {
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	all := ""
	for i, t := range texts {
		if i > 0 {
			all += "\n"
		}
		all += "• " + t
	}
	return all
}
