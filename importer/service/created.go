package service

import (
	"slices"

	"tripimport/importer"
)

// readCreated classifies the JSON object of a 200. It is ReplyCreated with a GUID, and
// ReplyCreatedNoGUID with our trip id but no GUID. Anything else is ReplyUnclear, also
// an object that says that the request failed.
func (c *Client) readCreated(body levels, of whose) (kind importer.ReplyKind, guid, message string) {
	values, depth := body.find(c.guidField)
	guid, ok := agreedGUID(values)
	switch {
	case slices.ContainsFunc(body.downTo(depth), member.failed):
		return importer.ReplyUnclear, "", "the service's answer says that it failed, but not that the trip was not booked"
	case !ok:
		return importer.ReplyUnclear, "", "the service's answer has a trip GUID that is not a GUID"
	case guid != "":
		return importer.ReplyCreated, guid, ""
	case of == ours:
		return importer.ReplyCreatedNoGUID, "", "the service booked the trip without returning its GUID"
	}
	return importer.ReplyUnclear, "", "the service's answer has neither a trip GUID nor this trip's id"
}
