// Package inject makes chosen requests to the sandbox fail in a chosen way, before or after
// the trip is booked. Only tests use it, and the command listen that tests run.
package inject
