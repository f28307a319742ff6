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

// An appearance says how a state is shown.
type appearance struct {
	color string   // in a workbook
	bar   string   // the class of its bar in a chart of the page
	line  LineKind // on a terminal
}

func (g stateGroup) appearance() appearance {
	return [groupCount]appearance{
		groupNone:   {"", "other", PlainLine},
		groupPerson: {colorPerson, "person", UrgentLine},
		groupFix:    {colorFix, "fault", ProblemLine},
		groupWait:   {colorWaiting, "waiting", ProblemLine},
		groupGood:   {colorGood, "good", GoodLine},
	}[g]
}
