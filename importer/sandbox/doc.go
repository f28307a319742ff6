// Package sandbox imitates the transportation service: the access operation,
// trip insertion and property change, checked as strictly as the contract can
// be read, with faults on demand. No real import needs it.
//
// It serves three ends. A rehearsal runs against it with no account. Tests use
// it as the judge of what was really sent: its log has a line when a request
// was received and another when a trip was committed, whatever the answer then
// says. And its fault plan makes every failure that a server can make.
//
// The contract does not say that a trip id is refused the second time, so the
// sandbox books it again, and says so in its log.
package sandbox
