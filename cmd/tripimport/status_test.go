package main

import "tripimport/importer/app"

// The exit statuses, as the tests compare them.
const (
	exitDone        = int(app.Done)
	exitUnexpected  = int(app.Unexpected)
	exitUsage       = int(app.NotSetUp)
	exitFix         = int(app.FixRows)
	exitPerson      = int(app.NeedsPerson)
	exitLater       = int(app.Later)
	exitBlocked     = int(app.Blocked)
	exitInput       = int(app.BadInput)
	exitLocked      = int(app.Locked)
	exitInterrupted = int(app.Interrupted)
)
