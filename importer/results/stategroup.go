package results

import "tripimport/importer"

// A stateGroup is what people have to do about a state. Colours, the Needs
// column and the lines on a terminal follow it.
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

// groupOfCode returns the group of the state with that code.
func groupOfCode(code string) stateGroup {
	s, ok := importer.ParseState(code)
	if !ok {
		return groupNone
	}
	return groupOf(s)
}
