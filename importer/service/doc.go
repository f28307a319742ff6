// Package service is the HTTP client for the transportation service. A call makes
// one request and returns what the reply proves. It neither retries nor waits.
//
// Each request has a connection of its own. On a kept connection a duplicated or late
// answer would shift all answers after it to the wrong trips, and a connection that the
// server closes while a trip is sent on it leaves a trip that may be booked or not. An
// answer that names another trip or another rider ends the run.
//
// Two habits of Go's HTTP client could book a trip twice or hide a failure, and are
// prevented here:
//
//   - If a kept connection breaks, the transport repeats a request by itself when it looks
//     safe to repeat. No connection is kept, no request has an idempotency header, and no
//     body can be read a second time.
//   - A redirect would send patient data to another host, or make a sign-in page
//     look like a success. Requests go through the http.Transport, which follows
//     no redirects.
package service
