// Package mapping turns the rows of a broker's export into trips, as a YAML
// file says.
//
// Parse reads such a file and reports all of its faults at once, each with its
// line and column. Bind ties a mapping to the columns of one spreadsheet: from
// then on every column is a number, every condition compiled, and Map works
// without looking anything up by name. What a row holds that can't be read is a
// Problem at its cell; nothing is guessed and nothing has a default that the
// mapping does not declare.
//
// The language is described in REFERENCE.md, whose examples run as tests.
package mapping
