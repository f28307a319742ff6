package app

import (
	"context"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/service"
)

// SeparateService records that the service at an address is none of those that the ledger
// knows. It returns the address in canonical form.
func (a *App) SeparateService(ctx context.Context, address string) (canonical string, err error) {
	if canonical, err = canonicalAddress(address); err != nil {
		return "", err
	}
	return canonical, a.changeLedger("ledger separate", func(l ledger.Ledger, by ledger.Person) error {
		return l.Separate(ctx, canonical, by)
	})
}

// LinkService records that the addresses old and moved are those of one service, so that a
// trip booked at one of them is booked at the other. The proof is a trip that is booked at
// old and found at moved. If the settings say how, the service is asked for it; otherwise
// found shows the trips to a person and returns the GUID or trip id that the person found.
// LinkService returns moved in canonical form.
func (a *App) LinkService(ctx context.Context, old, moved string, found func(moved string, trips []ledger.Entry) string) (canonical string, err error) {
	if old, err = canonicalAddress(old); err != nil {
		return "", err
	}
	if moved, err = canonicalAddress(moved); err != nil {
		return "", err
	}

	return moved, a.changeLedger("ledger link", func(l ledger.Ledger, by ledger.Person) error {
		const shown = 10
		trips, err := l.Ahead(ctx, old, a.env.Clock.Wall(nil).Date, shown)
		if err != nil {
			return err
		}
		if len(trips) == 0 {
			return Usage("name the address where they were booked first, then the new one; if no trip is booked ahead, there is nothing to link",
				"no trip is booked at %s for today or later", old)
		}

		proved, asked, err := a.lookUpAt(ctx, moved, trips)
		if !asked && err == nil {
			guid := found(moved, trips)
			proved = guid != "" && slices.ContainsFunc(trips, func(e ledger.Entry) bool {
				return importer.SameGUID(guid, e.GUID) || strings.EqualFold(guid, e.TripID)
			})
		}
		if err == nil && !proved {
			err = Usage("look up one of the trips in the system at "+moved+" and give its GUID; if none is there, it is another system: `tripimport ledger separate "+moved+"`",
				"it is not proved that %s is the system at %s: none of the trips was found there", moved, old)
		}
		if err != nil {
			return err
		}
		return l.Link(ctx, old, moved, by)
	})
}

// lookUpAt asks the service at an address for the trips, and reports whether it has one with
// the same GUID. It does not ask, and returns false for asked, if the settings do not say how
// or no trip has a GUID.
func (a *App) lookUpAt(ctx context.Context, address string, trips []ledger.Entry) (proved, asked bool, err error) {
	where, err := a.Settings.lookup()
	if err != nil || where.Path == "" || trips[0].GUID == "" { // trips with a GUID come first
		return false, false, err
	}

	a.Settings["base_url"] = Value{Text: address, Origin: "ledger link"}
	client, _, err := a.client()
	if err != nil {
		return false, true, err
	}

	for _, e := range trips {
		guid, err := client.LookUp(ctx, where, e.TripID, e.Date)
		if err != nil {
			return false, true, &Error{Later, err.Error(), "run the same command again later"}
		}
		if importer.SameGUID(guid, e.GUID) {
			return true, true, nil
		}
	}
	return false, true, nil
}

func canonicalAddress(address string) (string, error) {
	canonical, err := service.CanonicalAddress(address)
	if err != nil {
		return "", Usage("give the address as base_url has it", "%s", err)
	}
	return canonical, nil
}
