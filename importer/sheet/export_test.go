package sheet

// Form returns what the file is by its content, as Inspect says it.
func (f *File) Form() string { return f.form }
