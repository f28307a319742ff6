// Package service speaks to the transportation service: one call is one
// request, and the answer says what it proved. It neither retries nor waits.
//
// Three things about Go's HTTP client would book a trip twice or tell a lie,
// and are kept away here. A POST that may be repeated is repeated by the
// transport itself when a reused connection dies, so no idempotency header is
// ever set and no body can be read a second time. A redirect would take patient
// data to another host, or turn a sign-in page into a success, so requests go
// through the bare transport, which follows none. And a connection that waited
// too long for its next request makes that request unclear, so none waits
// longer than two seconds.
package service
