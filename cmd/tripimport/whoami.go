package main

import (
	"os"
	"os/user"
)

// whoami names the user and the machine, for the ledger and its lock.
func whoami() (who, host string) {
	who = "unknown"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return who, host
}
