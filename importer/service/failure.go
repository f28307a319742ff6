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

// unanswered judges a request that got no answer.
func (c *Client) classifyError(r reply) importer.Answer {
	switch {
	case r.connected:
		return importer.Answer{Kind: importer.AnswerUnclear, Message: "no answer came: " + c.reason(r.err)}
	case isCertificate(r.err):
		return importer.Answer{Kind: importer.AnswerBadCertificate, Message: c.reason(r.err)}
	}
	return importer.Answer{Kind: importer.AnswerNotSent, Message: "no connection came about: " + c.reason(r.err)}
}

// isCertificate reports a service that can't be trusted: its certificate is
// not accepted, or its encryption is older than TLS 1.2. Neither mends itself.
func isCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	return errors.As(err, &verification) || isOldTLS(err)
}

// isOldTLS knows the fault by its text: crypto/tls has no type for it.
func isOldTLS(err error) bool {
	return strings.Contains(err.Error(), "tls:") && strings.Contains(err.Error(), "protocol version")
}

// why says in words what went wrong on the way. Go's own text is never shown:
// it names addresses and speaks to programmers.
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

// Windows has numbers of its own for these, which package syscall does not
// translate (WSAECONNREFUSED, WSAECONNRESET, WSAECONNABORTED).
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

// certificateFault says what is wrong with the service's certificate.
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
