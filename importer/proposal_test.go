package importer_test

import (
	"testing"

	"tripimport/importer"
)

// Of two rows with one id, what is live holds, in whatever order they come; on another day too where each id is used once.
func TestProposals(t *testing.T) {
	first, second := importer.Date{Year: 2026, Month: 12, Day: 2}, importer.Date{Year: 2026, Month: 12, Day: 3}
	live, cancelled := importer.Proposal{Says: importer.SaysLive, Trips: 1}, importer.Proposal{Says: importer.SaysCancelled}
	for ids, want := range map[importer.IDUse]importer.Says{importer.UniqueIDs: importer.SaysLive, importer.RepeatedIDs: importer.SaysCancelled, importer.UnsaidIDs: importer.SaysCancelled} {
		says := importer.Proposals{}
		of := func(day importer.Date) *importer.RowKey { return &importer.RowKey{IDs: ids, Date: day} }
		says.Add("A", of(first), cancelled)
		says.Add("A", of(second), cancelled)
		says.Add("A", of(second), live)
		says.Add("A", of(second), cancelled)
		says.Add("B", of(importer.Date{}), live)
		for word, want := range map[*importer.Word]importer.Says{
			{ID: "A", Day: first}: want, {ID: "A", Day: second}: importer.SaysLive, {ID: "B", Day: first}: importer.SaysLive, {ID: "C", Day: first}: 0,
		} {
			if said, has := says.Of(word); said.Says != want || has != (want != 0) {
				t.Errorf("ids %d: the row %s of %s is %s, want %s", ids, word.ID, word.Day, said.Says.Code(), want.Code())
			}
		}
	}
}
