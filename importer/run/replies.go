package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// A verdict is what a reply proves about a step, with the reason in words. The state is TripBooked
// for a change that the service took.
type verdict struct {
	state  importer.TripState
	reason string
}

func notSent(reason string) verdict { return verdict{importer.TripNotSent, reason} }

// verdicts are what the kinds of replies prove. Any other kind proves nothing. It is never written to.
var verdicts = map[importer.ReplyKind]verdict{
	importer.ReplyCreated:        {importer.TripBooked, ""},
	importer.ReplyChanged:        {importer.TripBooked, ""},
	importer.ReplyCreatedNoGUID:  {importer.TripBooked, "the service booked it without returning its GUID"},
	importer.ReplyRefused:        {importer.TripRefused, ""},
	importer.ReplyThrottled:      notSent("the service asked to send more slowly, again and again"),
	importer.ReplyMisdirected:    {importer.TripRefused, "the service's address does not take trips"},
	importer.ReplyNotSent:        notSent("no connection to the service"),
	importer.ReplyBadCertificate: notSent("the service's certificate was not accepted"),
	importer.ReplyForeign:        {importer.TripUnclear, "it was sent, and the answer is about another trip or another rider"},
}

// verdictOf returns what a reply means for the trip, and reports whether another attempt may be
// made. Only a reply that proves that nothing was done lets a step be sent again. A reply that
// proves nothing leaves the trip unclear.
func (g *gate) verdictOf(ctx context.Context, t *tripTask, r importer.Reply, round int) (verdict, bool) {
	change := t.decision.Do == judge.Change
	v, proved := verdicts[r.Kind]
	switch {
	case r.Kind == importer.ReplyDenied && change:
		return g.deniedChange(ctx, t, round)
	case r.Kind == importer.ReplyDenied:
		return g.denied(ctx, t, round)
	case r.Kind == importer.ReplyMisdirected && change:
		return notSent("the service's address does not take changes"), false
	case !proved:
		return verdict{importer.TripUnclear, "it was sent and no proof came back"}, false
	}
	return v, r.Kind == importer.ReplyThrottled || r.Kind == importer.ReplyNotSent
}

// deniedChange is denied for a change. A second denial of one trip closes no pair, because the key
// may have lost only this trip.
func (g *gate) deniedChange(ctx context.Context, t *tripTask, round int) (verdict, bool) {
	v, again := g.denied(ctx, t, round)
	if again && t.denials > 1 {
		return verdict{importer.TripRefused, "the service does not let this provider change the trip"}, false
	}
	if v.state == importer.TripRefused {
		v.state = importer.TripNotSent
	}
	return v, again
}

// booked sets the outcome of a trip of which a booking was sent.
func (t *tripTask) booked(v verdict, _ *importer.Reply, s *importer.Settled) {
	t.outcome = importer.Outcome{State: v.state.Sent(), Reason: v.reason, GUID: s.GUID, GUIDMissing: s.GUIDMissing, RowNumber: t.outcome.RowNumber}
}

// changed sets the outcome of a booked trip of which a change was sent.
func (t *tripTask) changed(v verdict, reply *importer.Reply, _ *importer.Settled) {
	o := t.decision.Outcome
	lost := o.State == importer.ChangeUnknown
	o.Reason, o.Why = v.reason, importer.NoWhy
	switch v.state {
	case importer.TripBooked:
		o.State, o.Updated, o.Changed = importer.Changed, t.decision.Send, t.decision.ByHand
		judgePlaces(&o, reply, t)
		if len(t.decision.ByHand) > 0 {
			o.State, o.Reason = importer.ChangeByHand, strings.Trim(t.decision.Outcome.Reason+"; "+o.Reason, "; ")
		}
	case importer.TripRefused:
		o.State, o.Why = importer.ChangeByHand, importer.WhyRefused
	case importer.TripNotSent:
		o.State, o.Why = importer.ChangeByHand, importer.WhyUnsent
	default:
		o.State = importer.ChangeUnknown
	}
	if lost && v.state != importer.TripBooked {
		o.State, o.Why, o.Reason = importer.ChangeUnknown, importer.NoWhy, strings.TrimSuffix("an earlier change of it may have arrived; "+v.reason, "; ")
	}
	t.outcome = o
}

// misplacedMetres is the distance between the service's position of an address and the schedule's
// above which a person has to look.
const (
	misplacedMetres = 300
	metresAMile     = 1609.344
)

// judgePlaces compares the positions that the service gave to changed addresses with those of the
// schedule.
func judgePlaces(o *importer.Outcome, r *importer.Reply, t *tripTask) {
	for _, place := range []struct {
		side        importer.Field
		ours, their importer.Position
	}{{importer.FieldPickup, t.trip.Pickup.Position, r.Pickup}, {importer.FieldDropoff, t.trip.Dropoff.Position, r.Dropoff}} {
		sent := slices.ContainsFunc(t.decision.Send, func(key string) bool {
			side, ofPlace := importer.PlaceOf(key)
			return ofPlace && side == place.side
		})
		switch {
		case !sent:
		case !place.their.IsSet():
			o.Reason = "the service did not say where it placed the address: its place is not verified"
		case place.ours.MilesTo(place.their)*metresAMile > misplacedMetres:
			o.Misplaced = true
			o.Reason = fmt.Sprintf("the service placed the %s place %.1f miles from where the schedule has it: look at it there", place.side, place.ours.MilesTo(place.their))
			return
		}
	}
}
