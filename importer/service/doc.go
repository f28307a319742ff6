// Package service is the HTTP client for the transportation service. Every call
// makes at most one request and returns what the reply proves. It neither
// retries nor waits.
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
//     might have been booked or not, and nobody can tell. No connection is
//     reused after more than two idle seconds.
package service
