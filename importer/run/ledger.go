package run

import (
	"context"

	"tripimport/importer"
)

// A Ledger is what a run needs of a ledger. Its methods promise what those of the ledger of an
// office promise. A check only reads it.
type Ledger interface {
	// Look returns what the ledger has that shares a key with each of the rows.
	Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error)
	// Schedule returns the last words of the broker's rows on the days, with their trips.
	Schedule(ctx context.Context, service, broker string, days []importer.Date) ([]importer.Known, error)
	// Arrivals returns the arrivals of the broker from the day on.
	Arrivals(ctx context.Context, broker string, from importer.Date) ([]importer.Arrival, error)
	// Arrive records the arrivals of the files with what they say of their rows.
	Arrive(ctx context.Context, run string, files ...importer.Reading) ([]importer.Arrival, error)
	// Claim records that a step is about to be sent, and Settle what came of it.
	Claim(context.Context, importer.Step) (importer.Ticket, error)
	Settle(context.Context, importer.Ticket, importer.Settled) error
	// Trip returns the trip with the number, and Record records the effects of answers.
	Trip(ctx context.Context, number int64) (importer.Known, bool, error)
	Record(context.Context, ...importer.Effect) error
}
