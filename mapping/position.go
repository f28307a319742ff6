package mapping

// A position is a line and a column of the mapping file, from 1.
type position struct {
	Line int `yaml:"-"`
	Col  int `yaml:"-"`
}

// A text is a value with the position at which it stands in the file.
type text struct {
	Value string
	position
}

// given reports whether the file has the value, even an empty one.
func (t text) given() bool { return t.Line > 0 }
