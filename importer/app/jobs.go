package app

import (
	"context"
	"hash/maphash"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// Jobs are the program's jobs for a face at which people stay for long, such as a page. Each call
// reads the settings, opens what it needs and closes it again: none holds the ledger while a person
// thinks. They are safe for concurrent use.
type Jobs struct {
	env Environment
	set map[string]string

	fixing    sync.Mutex // fixes and answers are compared with what is there, and kept, by one call at a time
	answering sync.Mutex // and so are answers
	running   sync.Mutex // held by a run

	answered []AnsweredItem // the last first
	refused  string         // why the ledger took no answer when that was tried last
	tried    time.Time

	keeping sync.Mutex // what is kept of works is changed by one call at a time
	last    atomic.Pointer[remembered]
	looks   looks
}

// NewJobs returns the jobs. Set holds settings that override all others, by key.
func NewJobs(env Environment, set map[string]string) *Jobs {
	return &Jobs{env: env, set: set, looks: looks{seed: maphash.MakeSeed(), batches: map[uint64][]importer.Known{}}}
}

// open returns an App for one call. By is the person; empty for the system's user.
func (j *Jobs) open(by string) (*App, error) {
	env := j.env
	env.Who = by
	return New(env, j.set)
}

// openWork returns an App for one call, and what a person brought.
func (j *Jobs) openWork(id, by string) (*App, Work, error) {
	a, err := j.open(by)
	if err != nil {
		return nil, Work{}, err
	}
	w, err := a.Folders.work(id)
	return a, w, err
}

// Arrive keeps a private copy of a schedule that a person brought, with its name and the time at
// which it was saved, for seven days.
func (j *Jobs) Arrive(_ context.Context, name string, saved time.Time, content io.Reader) (Work, error) {
	a, err := j.open("")
	if err != nil {
		return Work{}, err
	}
	a.Folders.removeOldWorks(a.env.Clock.Now())
	return a.Folders.arrive(name, saved, a.env.Clock.Now(), content)
}

// Works returns what people brought, the last first.
func (j *Jobs) Works(context.Context) ([]Work, error) {
	a, err := j.open("")
	if err != nil {
		return nil, err
	}
	return a.Folders.allWorks()
}

// Work returns what a person brought, by its id.
func (j *Jobs) Work(id string) (Work, error) {
	_, w, err := j.openWork(id, "")
	return w, err
}
