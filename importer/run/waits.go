package run

import (
	"sync"
	"time"
)

// What takes longer than firstWord is told to people, and told again after nextWord.
const (
	firstWord = 4 * time.Second
	nextWord  = time.Minute
)

// Waits tells people what a job waits for. The zero Waits and nil tell nobody. It is safe for
// concurrent use.
type Waits struct {
	// Say is called with one sentence, from any goroutine.
	Say func(text string)

	mu   sync.Mutex
	told map[string]time.Time
}

// On is called before something that may take long, and done after it. If it lasts longer than a
// few seconds, people are told once for all callers that wait for the same; nothing is told after
// done. text says what is waited for, at that moment; empty for nothing that people have to know.
func (w *Waits) On(what string, text func() string) (done func()) {
	if w == nil || w.Say == nil {
		return func() {}
	}
	over := false // guarded by w.mu
	timer := time.AfterFunc(firstWord, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !over {
			w.tell(what, text)
		}
	})
	return func() {
		if !timer.Stop() {
			w.mu.Lock()
			defer w.mu.Unlock()
			over = true
		}
	}
}

// OnService is On for an answer of the service.
func (w *Waits) OnService() (done func()) {
	return w.On("service", func() string {
		return "waiting for the service: it has not answered for " + firstWord.String()
	})
}

// OnLedger is On for the ledger.
func (w *Waits) OnLedger() (done func()) {
	return w.On("ledger", func() string {
		return "waiting for the ledger: its database or disk has not answered for " + firstWord.String()
	})
}

// tell tells people, unless they were told not long ago. The caller holds w.mu.
func (w *Waits) tell(what string, text func() string) {
	now := time.Now()
	if last, told := w.told[what]; told && now.Sub(last) < nextWord {
		return
	}
	said := text()
	if said == "" {
		return
	}
	if w.told == nil {
		w.told = map[string]time.Time{}
	}
	w.told[what] = now
	w.Say(said)
}
