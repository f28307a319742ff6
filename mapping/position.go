package mapping

// A position is a place in the mapping file, from 1.
type position struct {
	Line int `yaml:"-"`
	Col  int `yaml:"-"`
}

// A text is a value that remembers where in the file it was written.
type text struct {
	Value string
	position
}

func (t text) given() bool { return t.Line > 0 }
