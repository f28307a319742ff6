package sandbox

import (
	"context"
	"errors"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Server serves a sandbox on a loopback address.
type Server struct {
	sandbox *Sandbox
	http    *http.Server
	url     string
	serving sync.WaitGroup
}

// AnyPort is a loopback address with any free port.
const AnyPort = "127.0.0.1:0"

// Listen starts to serve the sandbox at a loopback address. Other addresses are refused,
// because rehearsals use real schedules. Close ends the server.
func (s *Sandbox) Listen(ctx context.Context, address string) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, errors.New("the sandbox can't listen on " + address + ": another program may use that port")
	}
	if !listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		return nil, errors.Join(errors.New("the sandbox listens only on this computer: use 127.0.0.1"), listener.Close())
	}

	server := &Server{
		sandbox: s,
		http: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: 10 * time.Second,
			ErrorLog:          stdlog.New(io.Discard, "", 0), // connections fail on purpose
		},
		url: "http://" + listener.Addr().String(),
	}

	server.serving.Go(func() { _ = server.http.Serve(listener) }) // a client sees if it fails
	return server, nil
}

// URL returns the base address for clients.
func (s *Server) URL() string { return s.url }

// Close stops the server and closes the sandbox. Requests that a delay or a fault
// holds up continue at once. All requests may finish until ctx is done; then their
// connections are closed. A second call does nothing.
func (s *Server) Close(ctx context.Context) error {
	s.sandbox.Close()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	s.serving.Wait()
	return err
}
