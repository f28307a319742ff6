// Package service is the HTTP client for the transportation service. A call makes
// one request and returns what the reply proves. It neither retries nor waits.
//
// A duplicated or late answer on a kept connection would shift all answers after it to
// the wrong trips. So an answer is believed only if it is about our trip: it repeats our
// trip id, or no other request was sent on its connection. A connection is kept only
// after a booked answer that repeats our trip id. A refusal that comes on a kept
// connection names no trip: one more request on the same connection, for the access list,
// then shows that the answers are in order. An answer that names another trip or another
// rider ends the run.
//
// Three habits of Go's HTTP client could book a trip twice or hide a failure,
// and are prevented here:
//
//   - If a reused connection breaks, the transport repeats a request by itself
//     when it looks safe to repeat. No request has an idempotency header, and no
//     body can be read a second time.
//   - A redirect would send patient data to another host, or make a sign-in page
//     look like a success. Requests go through the http.Transport, which follows
//     no redirects.
//   - A server may have closed an idle connection. A trip that is sent on it
//     might have been booked or not, and nobody can tell. A connection is reused
//     only if the server was seen to leave one open for twice as long and a tenth
//     of a second, and never after more than two idle seconds.
package service
