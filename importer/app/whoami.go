package app

import (
	"os"
	"os/user"
)

// whoAmI returns the names of the user and the machine, for the ledger and its lock.
func whoAmI() (who, host string) {
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
