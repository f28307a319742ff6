package app

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// takeProofs records what results prove of trips that may be booked: the service gave them their GUIDs, and the
// ledger could not record that, because its database or disk was away.
func (t *taker) takeProofs(ctx context.Context, edited *returned.Results, file string) error {
	const service = "the service"
	for _, sent := range edited.Sent {
		if sent.State != importer.Unknown || sent.GUID == "" || sent.Attempt == 0 {
			continue
		}
		by := t.thisPerson()
		_, _, err := recordAnswer(ctx, t.ledger, importer.Answer{
			Trip: sent.Attempt, Row: sent.RowNumber, Leg: sent.Leg, Saw: sent.Saw, Shown: sent.State,
			Verdict: importer.There, GUID: sent.GUID, Proof: true, Who: service, Host: by.Host, Where: file, At: by.When,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
