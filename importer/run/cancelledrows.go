package run

import (
	"context"
	"slices"

	"tripimport/importer"
)

// leaveOut decides the trips of a row that is not to be booked: nothing is sent,
// but what was booked from a row that is cancelled has to be cancelled by hand.
func (s *runState) leaveOut(ctx context.Context, row *rowTask) {
	for i := range row.trips {
		row.trips[i].outcome = importer.Outcome{State: importer.Skipped, Reason: row.mapped.LeftOut}
	}
	if !row.mapped.Cancelled || s.Ledger == nil {
		return
	}

	booked, doubt, err := s.bookedFrom(ctx, row)
	if err != nil {
		s.ledgerFailed(err)
		booked = s.bookedAtPlan(row)
	}

	for _, rec := range row.noteCancelled(booked) {
		if s.isLeft(ctx, rec) {
			continue
		}
		result := droppedTrip(row, rec)
		o := &result.Outcome
		if o.State == importer.CancelledCreated {
			o.Reason = row.mapped.LeftOut
		}
		if err != nil {
			o.Reason += "; so it was when the run began: the ledger could not be asked again"
		}
		if rec.OtherTrip && row.mapped.Trips[0].RiderID != "" {
			o.Reason += "; the trip booked under its id differs in rider, date or funding source: make sure that it is the same one before you cancel it"
		}
		if doubt != "" {
			o.Reason += "; perhaps this one: compare day, time and places, since " + doubt
		}
		if i := slices.IndexFunc(row.trips, func(t tripTask) bool { return t.trip.Leg == rec.Leg && t.outcome.State == importer.Skipped }); i >= 0 {
			row.trips[i].outcome = *o
			if row.trips[i].trip.ID == "" {
				row.trips[i].trip.ID, row.trips[i].trip.Alias = rec.TripID, rec.Alias
			}
			continue
		}
		row.dropped = append(row.dropped, result)
	}
}

// noteCancelled says of the trips that a person cancelled them in the service, so that the
// results prove it where the ledger is lost. It returns the others of the records.
func (row *rowTask) noteCancelled(booked []importer.Record) []importer.Record {
	return slices.DeleteFunc(booked, func(rec importer.Record) bool {
		i := slices.IndexFunc(row.trips, func(t tripTask) bool { return t.trip.ID == rec.TripID && t.outcome.State == importer.Skipped })
		if rec.Cancelled && i >= 0 {
			o := &row.trips[i].outcome
			o.Answered, o.Attempt, o.GUID = true, rec.Attempt, rec.GUID
		}
		return rec.Cancelled
	})
}

// bookedFrom finds what is booked of a cancelled row, whatever else of it is blank
// or wrong: by its row id and its trip ids, also where they are spelt otherwise. Only
// a row that has neither is looked for by its rider and date. doubt says why the
// trips are not certain; empty if they are.
func (s *runState) bookedFrom(ctx context.Context, row *rowTask) (booked []importer.Record, doubt string, err error) {
	add := func(records []importer.Record) { booked = s.addOfRow(booked, row, records) }
	m := &row.mapped
	records, err := bookedByRow(ctx, s.Ledger, s.Address, m)
	if err != nil {
		return nil, "", err
	}
	add(records)
	records, hasTripID, err := bookedByTripID(ctx, s.Ledger, s.Address, m)
	if err != nil {
		return nil, "", err
	}
	add(records)

	hasID := hasTripID || m.Key.ID != ""
	switch {
	case len(m.Trips) == 0:
	case !hasID:
		doubt = "the row has no id"
		records, err = s.Ledger.TripsOfRider(ctx, s.Address, &m.Trips[0])
		add(slices.DeleteFunc(records, s.Plan.has))
	case !slices.ContainsFunc(booked, live):
		doubt = "the id is spelt otherwise"
		records, err = bookedRespelt(ctx, s.Ledger, s.Address, m)
		add(slices.DeleteFunc(records, s.Plan.has))
	case m.Key.Date.IsZero() && m.Key.IDs != importer.UniqueIDs:
		doubt = "the row has no date"
	}
	return booked, doubt, err
}

// bookedAtPlan returns what was booked of a cancelled row when the run was planned. Another
// run may have booked it since, and a later one lists it then. A row about which the plan
// could not tell, since it has no id or is booked under another one, may be booked.
func (s *runState) bookedAtPlan(row *rowTask) []importer.Record {
	asked := s.Plan.recorded[row.index].cancelled
	for i := range row.trips {
		o := &row.trips[i].outcome
		if asked {
			o.Reason += "; nothing of it was booked when the run began, and the ledger could not be asked again"
		} else {
			o.State, o.Reason = importer.Unknown, "the ledger could not be asked whether it was booked before it was cancelled"
		}
	}
	return s.addOfRow(nil, row, s.Plan.cancelled[row.index])
}

// addOfRow adds each record of the row's day once.
func (s *runState) addOfRow(booked []importer.Record, row *rowTask, records []importer.Record) []importer.Record {
	for _, rec := range records {
		known := slices.ContainsFunc(booked, func(other importer.Record) bool { return other.Attempt == rec.Attempt })
		if !known && s.isOfRow(row, rec) {
			booked = append(booked, rec)
		}
	}
	return booked
}

// bookedByRow returns what is booked from the row of a cancelled trip, whatever trips
// the row makes now.
func bookedByRow(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (booked []importer.Record, err error) {
	found, err := rowTrips(ctx, l, address, m)
	if err != nil {
		return nil, err
	}
	for i := range m.Trips {
		for _, rec := range []*importer.Record{found.Matched[i], found.Unclear[i]} {
			if rec != nil {
				booked = append(booked, *rec)
			}
		}
	}
	booked = append(booked, found.Dropped...)

	withoutTrips := *m
	withoutTrips.Trips = nil
	found, err = rowTrips(ctx, l, address, &withoutTrips) // two trips may be unclear for one of the row's
	return append(booked, found.Dropped...), err
}

// bookedByTripID returns what is booked under the trip ids of a row. has reports that
// the row has any.
func bookedByTripID(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (booked []importer.Record, has bool, err error) {
	marks := l.RowMarks(m.Key)
	for i := range m.Trips {
		if m.Trips[i].ID == "" {
			continue
		}
		has = true
		records, err := l.TripsOfID(ctx, address, m.Trips[i].ID)
		if err != nil {
			return nil, has, err
		}
		booked = append(booked, slices.DeleteFunc(records, func(rec importer.Record) bool { return otherBroker(rec, marks) })...)
	}
	return booked, has, nil
}

// bookedRespelt returns what is booked for the rider and the date of a row whose id
// differs in its spelling alone.
func bookedRespelt(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (booked []importer.Record, err error) {
	for i := range m.Trips {
		records, err := l.Respelt(ctx, address, m.Key, &m.Trips[i])
		if err != nil {
			return nil, err
		}
		booked = append(booked, records...)
	}
	return booked, nil
}
