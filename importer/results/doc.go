// Package results writes what became of a run, for the people who work from it
// in the morning, and reads its own results back in once they are fixed.
//
// A Writer is the run's Reporter. It streams: of a row nothing is kept but its
// counts. The workbook has a Summary, the Results with the source columns as
// they were, the Trips, and a hidden sheet with the identity of the run. Each
// row of the Results ends its own columns with a hidden key: which row of which
// input it was, which of its cells may change, and keyed digests of all of
// them. Open needs these to tell a fixed row from one in which two passengers
// have been mixed up.
//
// Nothing is decided here: outcomes and their reasons come from the run.
package results
