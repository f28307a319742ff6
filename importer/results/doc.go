// Package results writes what became of a run, for the people who work from it
// in the morning: a workbook or a CSV file, a Summary for the terminal, for JSON
// and for a page, and the list of trips that a person must look for.
//
// A Writer is the run's Reporter. It streams: it keeps only counts of the rows, and a few
// examples of each kind of problem. The workbook has a Summary, the Results with the
// source columns as they were, the Trips, and a hidden sheet with the record of the run.
// Each row of the Results has a hidden key that package seal makes, so that package
// returned can read the edited file back.
//
// The package decides no outcomes: they and their reasons come from the run. Its
// files are readable by this user alone, appear only when they are complete, and
// overwrite nothing.
package results
