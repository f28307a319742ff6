package app

import (
	"cmp"
	"os"
	"os/user"
)

// whoAmI returns the names of the person and the machine, for the ledger and its lock.
func (a *App) whoAmI() (who, host string) {
	return cmp.Or(a.env.Who, UserName()), hostName()
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
