package move

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"tripimport/importer/ledger/pgtest"
)

// A relay is a network between a program and the server.
type relay struct {
	dir    string // where its socket is
	server string
	away   atomic.Bool // it takes no connections
	losing atomic.Bool // it cuts the connection before the server's next answer

	mu    sync.Mutex
	conns []net.Conn
	all   sync.WaitGroup
}

func newRelay(t *testing.T, cluster *pgtest.Cluster) *relay {
	t.Helper()
	dir, err := os.MkdirTemp("", "net") // a socket's path is short
	must(t, err)
	name := fmt.Sprintf(".s.PGSQL.%d", cluster.Port)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, name))
	must(t, err)
	r := &relay{dir: dir, server: filepath.Join(cluster.Dir, name)}
	r.all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.all.Go(func() { r.carry(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		r.cut()
		r.all.Wait()
		must(t, os.RemoveAll(dir))
	})
	return r
}

// carry carries what a client and the server send.
func (r *relay) carry(client net.Conn) {
	server, err := (&net.Dialer{}).Dial("unix", r.server)
	if err != nil || r.away.Load() {
		_ = client.Close()
		return
	}
	r.mu.Lock()
	r.conns = append(r.conns, client, server)
	r.mu.Unlock()
	r.all.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	buffer := make([]byte, 64*1024)
	for {
		n, err := server.Read(buffer)
		if err != nil || r.losing.Swap(false) {
			_ = client.Close()
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// loseAnswer cuts the connection before the server's next answer. After that the network
// may be away.
func (r *relay) loseAnswer(away bool) {
	r.away.Store(away)
	r.losing.Store(true)
}

// cut ends all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		_ = c.Close()
	}
}
