package main

import "tripimport/importer/app"

// The exit statuses as numbers, for comparing them with those of processes.
const (
	exitDone        = int(app.Done)
	exitUnexpected  = int(app.Unexpected)
	exitUsage       = int(app.NotSetUp)
	exitFix         = int(app.FixRows)
	exitPerson      = int(app.NeedsPerson)
	exitListed      = int(app.Listed)
	exitLater       = int(app.Later)
	exitBlocked     = int(app.Blocked)
	exitInput       = int(app.BadInput)
	exitLocked      = int(app.Locked)
	exitInterrupted = int(app.Interrupted)
)
