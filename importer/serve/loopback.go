package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// A loopback is both addresses of this machine at one port. A browser may ask either of them: if
// another program had the other one, it would get the page's requests.
type loopback struct {
	port      int
	listeners []net.Listener
}

// listen binds a free port of 127.0.0.1 and of ::1, or of 127.0.0.1 alone if this machine has no ::1.
func listen(ctx context.Context) (*loopback, error) {
	const tries = 20
	var config net.ListenConfig
	for range tries {
		four, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		l := &loopback{four.Addr().(*net.TCPAddr).Port, []net.Listener{four}}
		six, err := config.Listen(ctx, "tcp6", fmt.Sprintf("[::1]:%d", l.port))
		switch {
		case err == nil:
			l.listeners = append(l.listeners, six)
			return l, nil
		case hasNoIPv6(err):
			return l, nil
		}
		l.close() // another program has the port there
	}
	return nil, errors.New("no port is free on both addresses of this machine")
}

// hasNoIPv6 reports whether an error says that the address ::1 does not exist here.
func hasNoIPv6(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}

func (l *loopback) close() {
	for _, each := range l.listeners {
		_ = each.Close() // it is at its end
	}
}
