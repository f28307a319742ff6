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

// Listen starts to serve the sandbox at a loopback address: "127.0.0.1:8080",
// or ":0" for any free port. Other addresses are refused, because rehearsals use
// real schedules. The errors are sentences for a user. Close ends the server.
func (s *Sandbox) Listen(addr string) (*Server, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, errors.New("the sandbox's address should look like 127.0.0.1:8080")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("the sandbox listens only on this computer: use 127.0.0.1")
	}

	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, errors.New("the sandbox can't listen on " + addr + ": another program may use that port")
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
	s.sandbox.release()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	s.serving.Wait()
	return errors.Join(err, s.sandbox.Close())
}
