// Package sandbox is a stand-in for the transportation service, for rehearsals
// and for tests. It implements the access operation, trip insertion and
// property change, and refuses every request that the service's contract does
// not allow. No import of real trips uses it.
//
// A Sandbox is an http.Handler, and a http.RoundTripper for rehearsals, which need no
// network. It keeps the trips that were booked in memory. Tests use Trips to see what the service has, and Put to do
// what a dispatcher does in the service.
//
// Its log shows which requests really had an effect: one line is written when a
// request was received, and another one when its trip was booked or changed,
// before the answer is sent. Package inject makes chosen requests fail for tests.
//
// The contract does not say that a trip id is refused the second time. The
// sandbox therefore books it again and counts it in the log, so that tests can
// see trips that were sent twice.
//
// The sandbox is independent of the client that it tests: its schema
// (contract.json) and its types were written from the contract and share no
// code with package service.
package sandbox
