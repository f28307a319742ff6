package importer

import "hash/fnv"

// A Proposal is what a file says of a row, before that is recorded: the number of trips that the row
// makes, and whether it is bare.
type Proposal struct {
	Says  Says
	Trips uint8
	Bare  bool
}

// Proposals are what a file says of the rows that it has. Of rows with one id a live one holds against those that are
// not, also of another day if each id is used once.
// They hold digests of the rows' keys, and no row content.
type Proposals map[uint64]Proposal

// Add adds what a file says of a row with Known.ID, and the key.
func (p Proposals) Add(id string, key *RowKey, said Proposal) {
	day := key.Date
	if key.IDs == UniqueIDs {
		day = Date{}
	}
	if at := digestOfRow(id, day); p[at].Says != SaysLive {
		p[at] = said
	}
}

// Of returns what the file says of the row of a word, and false if it does not have it. A row whose day can't
// be read may be the one of any day.
func (p Proposals) Of(word *Word) (said Proposal, has bool) {
	if said, has = p[digestOfRow(word.ID, word.Day)]; !has {
		said, has = p[digestOfRow(word.ID, Date{})]
	}
	return said, has
}

// digestOfRow returns a digest of a keyed id and a day, which is the same in every run of the program.
func digestOfRow(id string, day Date) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id + day.String()))
	return h.Sum64()
}
