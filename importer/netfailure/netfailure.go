// Package netfailure says in words for a dispatcher why a connection failed. Go's own
// text contains addresses, and is written for programmers.
package netfailure

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Reason describes an error of a connection to peer, such as "the service". It names
// neither addresses nor what was sent.
func Reason(err error, peer string) string {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" { // the transport says so
		peer = "the office's proxy"
	}
	switch {
	case IsCertificate(err):
		return peer + "'s certificate is not accepted: it has expired, is for another host name or from nobody this computer trusts, or its encryption is older than TLS 1.2"
	case errors.Is(err, context.Canceled):
		return "the program was interrupted"
	case is[*net.DNSError](err):
		return peer + "'s host name is not known here"
	case isErrno(err, syscall.ECONNREFUSED, syscall.ENOENT, winRefused): // a server on this computer may have no socket file
		return "nothing answers at " + peer + "'s address"
	case is[tls.RecordHeaderError](err):
		return "what answers at " + peer + "'s address does not speak https"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, net.ErrClosed), isTimeout(err): // closed after a silence
		return "the connection took too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		isErrno(err, syscall.ECONNRESET, syscall.EPIPE, winReset, winAborted):
		return "the connection was cut"
	}
	return "the connection failed: a firewall, or the office's proxy, may not let it through"
}

// IsCertificate reports whether the peer cannot be trusted: its certificate is not
// accepted, or it speaks only TLS versions before 1.2. Trying again cannot help.
func IsCertificate(err error) bool {
	oldTLS := strings.Contains(err.Error(), "tls:") && strings.Contains(err.Error(), "protocol version") // crypto/tls has no type for it
	return oldTLS || is[*tls.CertificateVerificationError](err)
}

// IsLoopback reports whether a host name or IP address is this computer.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// The error numbers of Windows (WSAECONNREFUSED, WSAECONNRESET,
// WSAECONNABORTED), which package syscall does not map to its own.
const (
	winRefused syscall.Errno = 10061
	winReset   syscall.Errno = 10054
	winAborted syscall.Errno = 10053
)

// is reports whether an error is one of the type, or wraps one.
func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func isErrno(err error, numbers ...syscall.Errno) bool {
	number, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains(numbers, number)
}

func isTimeout(err error) bool {
	timed, ok := errors.AsType[net.Error](err)
	return ok && timed.Timeout()
}
