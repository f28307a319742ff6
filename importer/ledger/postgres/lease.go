package postgres

import (
	"context"
	"time"
)

const prolongSQL = `UPDATE runs SET leased_until = clock_timestamp() + $1 * INTERVAL '1 second'
	WHERE num IN (SELECT value::bigint FROM json_array_elements_text($2::json)) AND leased_until IS NOT NULL`

// A heartbeat prolongs the leases of this process's runs while it writes nothing, as
// during a pause that the service asked for. Its goroutine ends with stop.
type heartbeat struct {
	engine  *engine
	stopped chan struct{}
	cancel  context.CancelFunc
}

func startHeartbeat(e *engine) *heartbeat {
	ctx, cancel := context.WithCancel(context.Background())
	h := &heartbeat{engine: e, stopped: make(chan struct{}), cancel: cancel}
	go h.run(ctx)
	return h
}

func (h *heartbeat) run(ctx context.Context) {
	defer close(h.stopped)
	ticker := time.NewTicker(h.engine.lease / 4)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if runs, n := h.engine.listRuns(); n > 0 {
			// After an error the next try may succeed. If none does, the lease ends, and
			// the next commit notices that.
			_, _ = h.engine.writers.ExecContext(ctx, prolongSQL, h.engine.lease.Seconds(), runs)
		}
	}
}

func (h *heartbeat) stop() {
	h.cancel()
	<-h.stopped
}
