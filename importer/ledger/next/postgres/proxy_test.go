package postgres

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A proxy stands between clients and a server, and reads the messages of the clients.
type proxy struct {
	// location is the ledger's, by way of the proxy.
	location string

	socket   string // of the server
	listener net.Listener
	wait     sync.WaitGroup

	mu     sync.Mutex
	links  map[*link]bool
	fate   func(*link, message) fate
	silent bool          // nothing is passed on, and nobody is told
	delay  time.Duration // before each question
	// released is closed for answers that are held to be passed on.
	released chan struct{}
}

// A message is one of a client's: its type and what it holds. The first one of a
// connection has the type 0.
type message struct {
	kind byte
	body []byte
}

// asks reports whether the server answers the message: 'Q' is a query, and 'S' ends what
// comes before it.
func (m message) asks() bool { return m.kind == 'Q' || m.kind == 'S' }

// A fate is what becomes of a message.
type fate int

const (
	pass      fate = iota
	cut            // the connection ends, and the server does not get the message
	cutAnswer      // the connection ends once the server has answered
	hold           // the answer is kept until the proxy is told to release it
)

// A link is a connection of a client, and the one that the proxy made to the server for it.
type link struct {
	client, server net.Conn
	// writes reports that it has begun a transaction of an engine.
	writes bool
	// dropping is closed for what the server says to be dropped, and answered then gets one
	// element.
	dropping chan struct{}
	answered chan struct{}
	holding  atomic.Bool
}

// newProxy stands before the server of a location that has a socket.
func newProxy(t testing.TB, location string) *proxy {
	t.Helper()
	u, err := url.Parse(location)
	must(t, err)
	q := u.Query()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{
		location: fmt.Sprintf("postgres://%s@%s%s?sslmode=disable", u.User.Username(), listener.Addr(), u.Path),
		socket:   fmt.Sprintf("%s/.s.PGSQL.%s", q.Get("host"), q.Get("port")),
		listener: listener, links: map[*link]bool{}, released: make(chan struct{}),
	}
	p.wait.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.cutAll()
		p.wait.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "unix", p.socket)
		if err != nil {
			client.Close()
			continue
		}
		l := &link{client: client, server: server, dropping: make(chan struct{}), answered: make(chan struct{}, 1)}
		p.mu.Lock()
		p.links[l] = true
		p.mu.Unlock()
		p.wait.Go(func() { p.ask(l) })
		p.wait.Go(func() { p.answer(l) })
	}
}

// cutAll cuts all connections.
func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.close()
	}
	clear(p.links)
}

func (l *link) close() {
	l.client.Close()
	l.server.Close()
}

// set has the proxy decide so about each message from now on; nil lets all pass.
func (p *proxy) set(f func(*link, message) fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fate = f
}

// silence has the proxy take everything and pass nothing on, or end that.
func (p *proxy) silence(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = on
}

func (p *proxy) isSilent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.silent
}

// slow has each question wait.
func (p *proxy) slow(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = delay
}

// decide returns the fate of a message, and how long it waits.
func (p *proxy) decide(l *link, m message) (fate, time.Duration) {
	p.mu.Lock()
	f, delay := p.fate, p.delay
	p.mu.Unlock()
	l.writes = l.writes || bytes.Contains(m.body, []byte("BEGIN ISOLATION"))
	if !m.asks() {
		delay = 0
	}
	if f == nil {
		return pass, delay
	}
	return f(l, m), delay
}

// ask passes on what the client says.
func (p *proxy) ask(l *link) {
	defer func() {
		if p.isSilent() { // the server does not learn of it
			l.client.Close()
			return
		}
		l.close()
	}()
	in := bufio.NewReader(l.client)
	for first := true; ; first = false {
		m, raw, err := readMessage(in, first)
		if err != nil {
			return
		}
		fate, delay := p.decide(l, m)
		time.Sleep(delay)
		if p.isSilent() {
			continue
		}
		if fate == cut {
			return
		}
		l.holding.Store(fate == hold)
		if fate == cutAnswer {
			close(l.dropping)
		}
		if _, err := l.server.Write(raw); err != nil {
			return
		}
		if fate == cutAnswer {
			<-l.answered
			return
		}
	}
}

// answer passes on what the server says.
func (p *proxy) answer(l *link) {
	defer func() {
		select {
		case l.answered <- struct{}{}:
		default:
		}
		l.close()
	}()
	b := make([]byte, 1<<16)
	for {
		n, err := l.server.Read(b)
		if err != nil {
			return
		}
		select {
		case <-l.dropping:
			return
		default:
		}
		if l.holding.Load() {
			<-p.released
		}
		if p.isSilent() {
			continue
		}
		if _, err := l.client.Write(b[:n]); err != nil {
			return
		}
	}
}

// readMessage reads a message of a client, and gives its bytes.
func readMessage(in *bufio.Reader, first bool) (m message, raw []byte, err error) {
	head := make([]byte, 5)
	if first {
		head = head[:4]
	}
	if _, err := io.ReadFull(in, head); err != nil {
		return m, nil, err
	}
	if !first {
		m.kind = head[0]
	}
	m.body = make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
	_, err = io.ReadFull(in, m.body)
	return m, append(head, m.body...), err
}
