package app

import (
	"context"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/service"
)

// OtherService records that the service at an address is none of those that the ledger knows.
// It returns the address in canonical form.
func (a *App) OtherService(ctx context.Context, address string) (canonical string, err error) {
	if canonical, err = canonicalAddress(address); err != nil {
		return "", err
	}
	return canonical, a.changeLedger("ledger address", func(l ledger.Ledger, by ledger.Person) error {
		return l.SetAddress(ctx, "", canonical, by)
	})
}

// SameService records that an address is that of the service at the address known, so that a
// trip booked at one of them is booked at the other. The proof is a trip that is booked there
// and found at the new address: found shows some to a person and returns the GUID or trip id
// that the person found, or "". SameService returns the address in canonical form.
func (a *App) SameService(ctx context.Context, address, known string, found func(address string, trips []importer.Standing) string) (canonical string, err error) {
	if known, err = canonicalAddress(known); err != nil {
		return "", err
	}
	if canonical, err = canonicalAddress(address); err != nil {
		return "", err
	}

	return canonical, a.changeLedger("ledger address", func(l ledger.Ledger, by ledger.Person) error {
		trips, err := a.bookedAhead(ctx, l, known)
		if err != nil {
			return err
		}
		if len(trips) == 0 {
			return Usage("name with --same-as the address where they were booked; if no trip is booked ahead, there is nothing to say",
				"no trip is booked at %s for today or later", known)
		}
		guid := found(canonical, trips)
		if guid == "" || !slices.ContainsFunc(trips, func(s importer.Standing) bool {
			return importer.SameGUID(guid, s.GUID) || strings.EqualFold(guid, s.TripID)
		}) {
			return usageStep(importer.Do("look up one of the trips in the system at "+canonical+" and give its GUID; if none is there, it is another system", importer.OtherService, canonical),
				"it is not proved that %s is the system at %s: none of the trips was found there", canonical, known)
		}
		return l.SetAddress(ctx, known, canonical, by)
	})
}

// bookedAhead returns some trips of the service at an address that are booked for today or
// later: those with a GUID before the others, and the earliest first.
func (a *App) bookedAhead(ctx context.Context, l ledger.Ledger, address string) ([]importer.Standing, error) {
	const shown = 10
	address, err := l.Service(ctx, address)
	if err != nil {
		return nil, err
	}
	trips, err := takenTrips(ctx, l, address, ledger.Search{From: a.env.Clock.Wall(nil).Date})
	slices.SortStableFunc(trips, func(a, b importer.Standing) int { return min(len(b.GUID), 1) - min(len(a.GUID), 1) })
	return trips[:min(len(trips), shown)], err
}

func canonicalAddress(address string) (string, error) {
	canonical, err := service.CanonicalAddress(address)
	if err != nil {
		return "", Usage("give the address as base_url has it", "%s", err)
	}
	return canonical, nil
}
