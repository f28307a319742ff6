package service

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"tripimport/importer"
)

// classifyError returns the answer for a request that got no response. Only
// before the first byte is it certain that nothing was sent.
func (c *Client) classifyError(r reply) importer.Answer {
	switch {
	case r.sent:
		return importer.Answer{Kind: importer.AnswerUnclear, Message: "no answer came: " + c.reason(r.err)}
	case isCertificate(r.err):
		return importer.Answer{Kind: importer.AnswerBadCertificate, Message: c.reason(r.err)}
	}
	return importer.Answer{Kind: importer.AnswerNotSent, Message: "no connection could be made: " + c.reason(r.err)}
}

// isCertificate reports whether the service cannot be trusted: its certificate is
// not accepted, or it speaks only TLS versions before 1.2. Trying again cannot
// help.
func isCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	return errors.As(err, &verification) || isOldTLS(err)
}

// isOldTLS recognizes the error by its text, because crypto/tls has no type for
// it.
func isOldTLS(err error) bool {
	return strings.Contains(err.Error(), "tls:") && strings.Contains(err.Error(), "protocol version")
}

// reason describes an error of the connection for a dispatcher. Go's own text is
// never shown: it contains addresses and is written for programmers.
func (c *Client) reason(err error) string {
	var dns *net.DNSError
	var notTLS tls.RecordHeaderError
	switch {
	case isCertificate(err):
		return certificateReason(err)
	case errors.Is(err, context.Canceled):
		return "the program was interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("nothing came within %v", c.timeout)
	case errors.As(err, &dns):
		return "the service's host name is not known here"
	case isErrno(err, syscall.ECONNREFUSED, winRefused):
		return "nothing answers at the service's address"
	case errors.As(err, &notTLS):
		return "what answers at the service's address does not speak https"
	case errors.Is(err, errTooLong):
		return "it is longer than 1 MB"
	case errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return "the connection took too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		isErrno(err, syscall.ECONNRESET, syscall.EPIPE, winReset, winAborted):
		return "the connection was cut"
	}
	return "the connection failed"
}

// The error numbers of Windows (WSAECONNREFUSED, WSAECONNRESET,
// WSAECONNABORTED), which package syscall does not map to its own.
const (
	winRefused syscall.Errno = 10061
	winReset   syscall.Errno = 10054
	winAborted syscall.Errno = 10053
)

func isErrno(err error, numbers ...syscall.Errno) bool {
	var number syscall.Errno
	return errors.As(err, &number) && slices.Contains(numbers, number)
}

func isTimeout(err error) bool {
	var timed net.Error
	return errors.As(err, &timed) && timed.Timeout()
}

// certificateReason describes why the service cannot be trusted.
func certificateReason(err error) string {
	var (
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
	)
	switch {
	case isOldTLS(err):
		return "the service's encryption is too old (older than TLS 1.2)"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the service's certificate has expired or is not valid yet"
	case errors.As(err, &host):
		return "the service's certificate is for another host name"
	case errors.As(err, &unknown):
		return "the service's certificate was not issued by anyone this computer trusts"
	}
	return "the service's certificate is not valid"
}
