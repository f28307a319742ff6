// Package serve is the page: the office's face of the program, in a browser on one's own machine.
//
// It has no rule about trips; it calls app.Jobs. What it owns is the gate: it listens on this
// machine alone, under a random name and port; only who holds the ticket of a private file comes in;
// every route is refused unless the gate lets it through, and nothing acts by GET.
package serve
