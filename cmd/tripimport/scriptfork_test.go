package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tripimport/importer/sandbox"
)

// A forkedService is the service of a session. While a printed next step is tried, a copy
// of it answers at the same address, without failures, and is forgotten afterwards.
type forkedService struct {
	ts     *testscript.TestScript
	config sandbox.Config
	box    *sandbox.Sandbox

	mu      sync.Mutex
	answers http.Handler
	fork    *sandbox.Sandbox
}

// scriptPairs are the providers and funding sources that the service of a session offers.
func scriptPairs() [][2]string {
	return [][2]string{
		{"Lakeshore Transit", "County Medicaid Plan"},
		{"Lakeshore Transit", "Harborview Health"},
		{"Lakeshore Transit", "Private Pay"},
		{"Prairie Wheels", "County Medicaid Plan"},
	}
}

// newForkedService starts the service on loopback. It ends with the session.
func newForkedService(ts *testscript.TestScript, config sandbox.Config) *httptest.Server {
	s := &forkedService{ts: ts, config: config}
	s.box = s.sandbox(config)
	s.answers = s.box
	server, control := httptest.NewServer(s), httptest.NewServer(http.HandlerFunc(s.control))
	ts.Defer(func() {
		control.Close()
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv("SESSION_SERVICE", control.URL)
	return server
}

func (s *forkedService) sandbox(config sandbox.Config) *sandbox.Sandbox {
	box, err := sandbox.New(config)
	s.ts.Check(err)
	for _, pair := range scriptPairs() {
		box.Allow(pair[0], pair[1])
	}
	return box
}

// ServeHTTP implements http.Handler.
func (s *forkedService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answers := s.answers
	s.mu.Unlock()
	answers.ServeHTTP(w, r)
}

// control makes the copy answer, with a log in the file that is asked for, or ends that.
func (s *forkedService) control(_ http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fork, s.answers = nil, s.box
	if log := r.URL.Query().Get("log"); log != "" {
		config := s.config
		config.Log, config.Faults = writeServiceLog(s.ts, log), nil
		s.fork = s.sandbox(config)
		for _, trip := range s.box.Trips() {
			s.fork.Put(trip)
		}
		s.answers = s.fork
	}
}

// forkService has the copy of the session's service answer from now on, if the session has
// one; without a log, it ends that.
func forkService(log string) error {
	control := os.Getenv("SESSION_SERVICE")
	if control == "" {
		return nil
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, control+"?log="+log, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// A snapshot is the content of a folder.
type snapshot map[string]savedFile

type savedFile struct {
	mode    fs.FileMode
	changed time.Time
	content []byte
}

// takeSnapshot keeps the content of the folder. Files that are no regular ones, and those
// of the service, are left out.
func takeSnapshot(folder string) (snapshot, error) {
	s := snapshot{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "service.log" || !d.IsDir() && !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		file := savedFile{mode: info.Mode(), changed: info.ModTime()}
		if !d.IsDir() {
			file.content, err = os.ReadFile(path)
		}
		s[path] = file
		return err
	})
	return s, err
}

// restore gives the folder the content that it had.
func (s snapshot) restore(folder string) error {
	now, err := takeSnapshot(folder)
	if err != nil {
		return err
	}
	for path := range now {
		if _, was := s[path]; !was {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	for _, dirs := range []bool{true, false} {
		for path, file := range s {
			if file.mode.IsDir() == dirs {
				err = errors.Join(err, file.restore(path, now[path]))
			}
		}
	}
	return err
}

func (f savedFile) restore(path string, now savedFile) error {
	switch {
	case f.mode.IsDir():
		return os.MkdirAll(path, f.mode.Perm())
	case bytes.Equal(f.content, now.content) && f.changed.Equal(now.changed) && f.mode == now.mode:
		return nil
	}
	return errors.Join(os.WriteFile(path, f.content, f.mode.Perm()), os.Chmod(path, f.mode.Perm()), os.Chtimes(path, f.changed, f.changed))
}

// nameOfSession returns the session of a file that its commands left.
func nameOfSession(path string) string {
	return strings.Split(filepath.Base(path), "-")[1]
}
