package results

import "tripimport/importer"

// A stateGroup groups states by what people have to do about them. The Needs column and
// the colours follow from it.
type stateGroup uint8

const (
	groupNone   stateGroup = iota // left out: nothing to do, nothing booked
	groupPerson                   // a person must act in the service
	groupFix                      // to be fixed, then sent again
	groupWait                     // another run sends it
	groupGood                     // booked, or ready to be

	groupCount = int(groupGood) + 1
)

func groupOf(s importer.State) stateGroup {
	switch {
	case s.NeedsPerson():
		return groupPerson
	case s == importer.Fix || s == importer.Refused:
		return groupFix
	case s.Missing():
		return groupWait
	case s.Booked() || s == importer.Ready:
		return groupGood
	}
	return groupNone
}

// color returns the colour of a state in a workbook; empty for none.
func (g stateGroup) color() string {
	return [groupCount]string{groupPerson: colorPerson, groupFix: colorFix, groupWait: colorWaiting, groupGood: colorGood}[g]
}
