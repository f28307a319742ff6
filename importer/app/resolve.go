package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
	"tripimport/importer/service"
)

// A Resolver takes people's answers about trips that may be booked. It holds the
// ledger until it is closed. It is not safe for concurrent use.
type Resolver struct {
	app    *App
	ledger ledger.Ledger
	open   []ledger.Entry
	trips  tripsBySource
}

// NewResolver opens the ledger and lists the trips that wait for a person, as the ledger's
// Unresolved returns them. schedule may name the schedule of their run, or workbook its
// results: Trip finds the trips there. Both may be empty.
func (a *App) NewResolver(ctx context.Context, schedule, workbook string) (*Resolver, error) {
	l, err := a.openLedger("resolve", 0)
	if err != nil {
		return nil, err
	}

	r := &Resolver{app: a, ledger: l}
	if r.open, err = l.Unresolved(ctx); err == nil {
		// A trip that is being sent at this moment needs no answer.
		r.open = slices.DeleteFunc(r.open, func(e ledger.Entry) bool { return e.InFlight })
		r.trips, err = a.tripsOf(l, r.open, schedule, workbook)
	}

	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return r, nil
}

// Close closes the ledger, so that other jobs can open it.
func (r *Resolver) Close() error { return r.ledger.Close() }

// Open lists the trips that were open when the Resolver was made, the earliest service date
// first. LookUp removes the trips that it closes from the list; Answer and TakeFile do not.
func (r *Resolver) Open() []ledger.Entry { return r.open }

// Trip returns the trip of an entry as its file has it. It returns false if no file was named,
// or the file does not have the trip.
func (r *Resolver) Trip(e ledger.Entry) (importer.Trip, bool) { return r.trips.of(e) }

// Answer records a person's answer about an open trip. If the ledger does not take the answer,
// note says why, and the trip stays open. If the answer was taken but counts only later, note
// says when.
func (r *Resolver) Answer(ctx context.Context, e ledger.Entry, v importer.Verdict, guid string) (taken bool, note string, err error) {
	o := run.OpenOutcome(e.Record)
	if _, fits := v.RuleOf(&o); !fits {
		return false, unclearAnswer(&o), nil
	}
	return r.app.recordAnswer(ctx, r.ledger, e, o.State, v, guid, r.app.thisPerson())
}

// LookUp asks the service for each open trip, if the settings say how. A GUID closes the trip;
// any other answer leaves it open. It returns how many trips were closed, and whether the
// service was asked at all.
func (r *Resolver) LookUp(ctx context.Context) (known int, asked bool, err error) {
	settings := r.app.Settings
	where, err := settings.lookup()
	if err != nil || where.Path == "" || len(r.open) == 0 {
		return 0, false, err
	}

	client, address, err := r.app.client()
	if err != nil {
		return 0, false, err
	}

	if address, err = r.ledger.Service(ctx, address); err != nil {
		return 0, false, err
	}

	speed, err := r.app.pace(ctx, r.ledger, client, address)
	if err != nil {
		return 0, false, err
	}
	gate := pace.New(speed)
	for _, e := range slices.Clone(r.open) {
		if e.Account.Service != address || run.OpenOutcome(e.Record).State == importer.ChangeUnknown {
			continue // it is another service's trip, or a look-up could not tell whether the change arrived
		}
		if err := gate.Wait(ctx); err != nil {
			return known, true, err
		}
		guid, err := client.LookUp(ctx, where, e.TripID, e.Date)
		if err != nil {
			return known, true, &Error{Later, err.Error(), "answer at the terminal (leave lookup_path empty), or run the same command again later"}
		}
		if guid == "" {
			continue
		}
		taken, _, err := r.Answer(ctx, e, importer.There, guid)
		if err != nil {
			return known, true, err
		}
		if taken {
			known++
			r.open = slices.DeleteFunc(r.open, func(o ledger.Entry) bool { return o.Attempt == e.Attempt })
		}
	}
	return known, true, nil
}

// lookup returns how the service can be asked for a trip. The path is empty if it can't be.
func (all Settings) lookup() (service.Lookup, error) {
	where := service.Lookup{Path: all.Text("lookup_path"), GUID: all.Text("lookup_guid")}
	if err := all.trusted("lookup_path", "lookup_guid"); err != nil || where.Path == "" {
		return where, err
	}
	if err := where.Check(); err != nil {
		return where, Usage("", "%s", err)
	}
	return where, nil
}

// Export writes the open trips to a new file for people to fill in. Only this user, and the
// office's group if there is one, can read the file.
func (r *Resolver) Export(path string) error {
	rows := make([]results.OpenTrip, 0, len(r.open))
	for _, e := range r.open {
		rows = append(rows, listEntry(e))
	}

	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Usage("name a file that is not there yet, in a folder that may be written", "%s can't be written", path)
	}

	err = results.WriteOpenTrips(out, rows)
	return errors.Join(err, out.Close(), r.app.share(path))
}

// listEntry returns the line of an open trip in the list that people fill in.
func listEntry(e ledger.Entry) results.OpenTrip {
	status := run.OpenOutcome(e.Record).State.String()
	if e.GUIDMissing {
		status = "booked, its GUID is not known"
	}

	return results.OpenTrip{
		TripID: e.ListedID(), Row: strconv.Itoa(e.Row), Date: e.Date.String(), Leg: e.Leg.String(), Status: status,
		Sent: e.ClaimedAt.Local().Format("2006-01-02 15:04:05"), Run: e.Run, Code: e.Code,
		Service: e.Account.Service, Provider: e.Account.Provider, Attempt: strconv.FormatInt(e.Attempt, 10),
	}
}

// Fitting returns a line for each status of the open trips that says which answers fit it.
func (r *Resolver) Fitting() []string {
	var lines []string
	for _, e := range r.open {
		o := run.OpenOutcome(e.Record)
		if line := fmt.Sprintf("where it says %q: %s", listEntry(e).Status, o.VerdictWords()); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// TakeFile takes the answers from a filled-in file that Export wrote. It returns how many
// trips are still open. notes says which answers were not taken, or count later.
func (r *Resolver) TakeFile(ctx context.Context, path string) (left int, notes []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, nil, Usage("see that it is there and may be read", "%s can't be read", path)
	}

	rows, err := returned.ReadOpenTrips(path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}

	given, entries, refusals := make([]givenAnswer, len(rows)), make([]ledger.Entry, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		if entries[i], refusals[i], err = r.entryOf(ctx, row); err != nil {
			return 0, nil, err
		}
		given[i] = givenAnswer{entries[i].Attempt, row.Verdict, row.GUID, fmt.Sprintf("line %d", row.Line)}
		if refusals[i] != "" {
			given[i] = givenAnswer{about: given[i].at}
		}
	}

	closed := map[int64]bool{}
	for i, contradiction := range contradicting(given) {
		row, e, note := rows[i], entries[i], cmp.Or(refusals[i], contradiction)
		if note == "" {
			if closed[e.Attempt], note, err = r.answerLine(ctx, e, row.Verdict, row.GUID); err != nil {
				return 0, notes, err
			}
		}
		if note != "" {
			notes = append(notes, fmt.Sprintf("line %d: trip %s: %s", row.Line, cmp.Or(e.Alias, row.TripID), note))
		}
	}
	for _, e := range r.open {
		if !closed[e.Attempt] {
			left++
		}
	}
	return left, notes, nil
}

// answerLine is Answer for a line of a file, which people may fill in and give back more than
// once. An answer that was taken before is not taken again if another one was given since.
func (r *Resolver) answerLine(ctx context.Context, e ledger.Entry, v importer.Verdict, guid string) (taken bool, note string, err error) {
	d := importer.Decision{Other: e.Attempt, From: "list " + v.String() + " " + guid}
	before, err := r.ledger.Decided(ctx, d)
	if err != nil {
		return false, "", err
	}
	open := slices.ContainsFunc(r.open, func(o ledger.Entry) bool { return o.Attempt == e.Attempt })
	if !open && before == v && !isAnswered(e, run.OpenOutcome(e.Record).State, v, guid) {
		return false, "not taken again: something else was answered since; if it is right after all, answer in newer results", nil
	}
	taken, note, err = r.Answer(ctx, e, v, guid)
	if taken && err == nil {
		err = r.ledger.Decide(ctx, d, v, r.app.thisPerson())
	}
	return taken, note, err
}

// entryOf finds the attempt that a line is about. If there is none, refusal says why.
func (r *Resolver) entryOf(ctx context.Context, row returned.AnsweredTrip) (e ledger.Entry, refusal string, err error) {
	if row.Attempt == "" { // a list of an earlier version
		for _, e := range r.open {
			if isOf(e, row) && e.Account.Service == row.Service && e.Account.Provider == row.Provider && e.Run == row.Run {
				return e, "", nil
			}
		}
		return e, "it is not open any more, or it was sent again since: look for it again", nil
	}

	attempt, _ := strconv.ParseInt(row.Attempt, 10, 64) // 0, which no attempt has, for a faulty number
	e, err = r.ledger.Entry(ctx, attempt)
	if refusal, err := refused(err); refusal != "" || err != nil {
		return e, refusal, err
	}
	if !isOf(e, row) || e.Account.Service != row.Service || e.Account.Provider != row.Provider {
		return e, "its attempt belongs to another trip: the columns were sorted apart, or an id was changed", nil
	}
	return e, "", nil
}

// isOf reports whether a line has the trip's id, either as Export writes it or in clear.
func isOf(e ledger.Entry, row returned.AnsweredTrip) bool {
	return row.TripID == e.TripID || row.TripID == e.ListedID()
}
