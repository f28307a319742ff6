package results

import "tripimport/importer"

// A stateGroup is what people have to do about a state. The Needs column follows it, and
// how the state is shown.
type stateGroup uint8

const (
	groupNone   stateGroup = iota // left out: nothing to do, nothing booked
	groupPerson                   // a person must act in the service
	groupFix                      // to fix, then to send again
	groupWait                     // another run sends it
	groupGood                     // booked, or ready to be

	groupCount = int(groupGood) + 1
)

func groupOf(s importer.State) stateGroup {
	if s.NeedsPerson() {
		return groupPerson
	}

	switch s {
	case importer.Invalid, importer.Refused, importer.Waiting:
		return groupFix
	case importer.NotSent, importer.Held:
		return groupWait
	case importer.Created, importer.AlreadyCreated, importer.Updated, importer.Ready:
		return groupGood
	default:
		return groupNone
	}
}

// A look is how a state is shown.
type look struct {
	color string   // in a workbook
	bar   string   // the class of its bar in a chart of the page
	line  LineKind // on a terminal
}

func (g stateGroup) look() look {
	return [groupCount]look{
		groupNone:   {"", "other", PlainLine},
		groupPerson: {colorPerson, "person", UrgentLine},
		groupFix:    {colorFix, "fault", ProblemLine},
		groupWait:   {colorWaiting, "waiting", ProblemLine},
		groupGood:   {colorGood, "good", GoodLine},
	}[g]
}
