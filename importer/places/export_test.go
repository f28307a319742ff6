package places

import "time"

// WithClock sets the clock that dates answers.
func WithClock(now func() time.Time) Option { return func(p *Places) { p.now = now } }

// WithPause sets how long to wait before a failed request is repeated. Each
// further repetition waits four times as long.
func WithPause(d time.Duration) Option { return func(p *Places) { p.pause = d } }

// Len returns how many addresses have an answer, including those without a usable
// position.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.answers)
}
