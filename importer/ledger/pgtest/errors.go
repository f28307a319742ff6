package pgtest

// A missingError says why there can be no cluster on this machine.
type missingError struct{ reason string }

func (e missingError) Error() string { return e.reason }
