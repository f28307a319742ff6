package app

import (
	"os"
	"os/user"
)

// whoAmI returns the names of the person and the machine, for the ledger and its lock.
func (a *App) whoAmI() (who, host string) {
	if a.env.Who != "" {
		return a.env.Who, hostName()
	}
	return UserName(), hostName()
}

// UserName returns the name of the system's user.
func UserName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

func hostName() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
}
