package sandbox

import (
	"context"
	"errors"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"time"
)

// A Server is a sandbox that listens on this computer alone.
type Server struct {
	sandbox *Sandbox
	http    *http.Server
	url     string
	served  chan error
}

// Listen serves the sandbox at an address of this computer: "127.0.0.1:8080",
// or ":0" for any free port. Others can't reach it: rehearsals are run with
// real schedules.
func (s *Sandbox) Listen(addr string) (*Server, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, errors.New("the sandbox's address should look like 127.0.0.1:8080")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("the sandbox listens on this computer alone: use 127.0.0.1")
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
			ErrorLog:          stdlog.New(io.Discard, "", 0), // its failures are on purpose
		},
		url:    "http://" + listener.Addr().String(),
		served: make(chan error, 1),
	}
	go func() { server.served <- server.http.Serve(listener) }()
	return server, nil
}

// URL is the base address to give to a client.
func (s *Server) URL() string { return s.url }

// wait returns when the server has ended: nil after Close.
func (s *Server) wait() error {
	err := <-s.served
	s.served <- err
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close lets requests come to their end while ctx allows (those that a delay or
// a fault holds, at once), then cuts them off, and closes the sandbox's files.
func (s *Server) Close(ctx context.Context) error {
	s.sandbox.release()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	return errors.Join(err, s.wait(), s.sandbox.Close())
}
