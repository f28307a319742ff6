package service

import (
	"context"
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// classifyError returns the answer for a request that got no response. It is certain that
// nothing was sent only if no byte of the request left.
func (c *Client) classifyError(r reply) importer.Reply {
	switch {
	case r.late:
		return importer.NotInTime()
	case r.sent:
		return importer.Reply{Kind: importer.ReplyUnclear, Message: "no answer came: " + c.reason(r.err)}
	case netfailure.IsCertificate(r.err):
		return importer.Reply{Kind: importer.ReplyBadCertificate, Message: c.reason(r.err)}
	}
	return importer.Reply{Kind: importer.ReplyNotSent, Message: "no connection could be made: " + c.reason(r.err)}
}

// reason describes an error of the connection for a dispatcher.
func (c *Client) reason(err error) string {
	switch {
	case netfailure.IsCertificate(err):
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("nothing came within %v", c.timeout)
	case errors.Is(err, errTooLong):
		return "it is longer than 1 MB"
	}
	return netfailure.Reason(err, "the service")
}
