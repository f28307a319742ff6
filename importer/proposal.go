package importer

import "hash/fnv"

// A Proposal is what the files of a command say of a row, before that is recorded: the number of trips that the row
// makes, and whether it is bare.
type Proposal struct {
	Says  Says
	Trips uint8
	Bare  bool
}

// Proposals are what the files of a command, which are one schedule, say of the rows that they have. Of rows with one id
// a live one holds against those that are not, also of another file, and of another day if each id is used once.
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

// Of returns what the files say of the row of a word, and false if they do not have it. A row of theirs whose day can't
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
