package run

import (
	"context"
	"slices"

	"tripimport/importer"
)

// leaveOut decides the trips of a row that is left out. Nothing is sent, but trips that
// were booked from a row that is cancelled now have to be cancelled by hand.
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
			o.Reason += "; this is as it was when the run began: the ledger could not be asked again"
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

// noteCancelled marks the row's trips that a person has cancelled in the service, so that
// the results prove it if the ledger is lost. It returns the records of the others.
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

// bookedFrom finds the booked trips of a cancelled row, whatever else in the row is blank
// or wrong, by its row id and its trip ids, also in another spelling. Only a row without
// any id is looked for by its rider and date. doubt says why the trips may not be the
// row's; it is empty if they certainly are.
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

// bookedAtPlan returns the trips of a cancelled row that were booked when the run was
// planned. If another run has booked one since, a later run lists it. If the plan could
// not tell, because the row has no id or is booked under another one, the row's trips
// become Unknown.
func (s *runState) bookedAtPlan(row *rowTask) []importer.Record {
	asked := s.Plan.recorded[row.index].cancelled
	for i := range row.trips {
		o := &row.trips[i].outcome
		if asked {
			o.Reason += "; none of its trips was booked when the run began, and the ledger could not be asked again"
		} else {
			o.State, o.Reason = importer.Unknown, "the ledger could not be asked whether it was booked before it was cancelled"
		}
	}
	return s.addOfRow(nil, row, s.Plan.cancelled[row.index])
}

// addOfRow adds the records that are of the row's day, each once.
func (s *runState) addOfRow(booked []importer.Record, row *rowTask, records []importer.Record) []importer.Record {
	for _, rec := range records {
		known := slices.ContainsFunc(booked, func(other importer.Record) bool { return other.Attempt == rec.Attempt })
		if !known && s.isOfRow(row, rec) {
			booked = append(booked, rec)
		}
	}
	return booked
}

// bookedByRow returns the booked trips of the row with m's key, whatever trips the row
// makes now.
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
	found, err = rowTrips(ctx, l, address, &withoutTrips) // Unclear has only one of two booked trips that a trip may be
	return append(booked, found.Dropped...), err
}

// bookedByTripID returns the trips that are booked under the trip ids of a row. has
// reports whether the row has a trip id.
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

// bookedRespelt returns the trips that are booked from rows whose id differs from the
// row's only in its spelling: importer.Ledger.Respelt.
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
