package importer

// A Doubt is why what people said of a trip does not count: two answers about the same state
// contradict each other, or what somebody wrote can't be taken. The trip waits until a person
// answers about that.
type Doubt struct {
	// Text says who answered what, or wrote where; empty for no doubt. Note is what was written.
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
	// In is the file with the text that can't be taken; empty for two answers. Whoever corrects
	// it there answers about the state that the file shows.
	In string `json:"in,omitempty"`
}
