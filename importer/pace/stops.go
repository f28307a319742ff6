package pace

import (
	"fmt"

	"tripimport/importer"
)

// stops returns the reasons for which a gate stops a run, by the answers that lead to it: after
// several in a row, or at once. A dispatcher reads them in the morning: they say what happened
// and what to do now.
func stops() map[importer.ReplyKind]*importer.Stop {
	return map[importer.ReplyKind]*importer.Stop{
		importer.ReplyUnclear: {
			Code:   "service-down",
			Reason: fmt.Sprintf("%d trips in a row were sent and no proof came back that they were booked", maxUnclear),
			Fix:    "look up the trips marked \"may be booked\" and answer them in the morning list, then do the same again once the service works",
			Later:  true,
		},
		importer.ReplyNotSent: {
			Code:   "service-unreachable",
			Reason: fmt.Sprintf("the service could not be reached %d times in a row, with pauses in between", maxUnreachable),
			Fix:    "check this computer's internet connection, then do the same again",
			Later:  true,
		},
		importer.ReplyThrottled: {
			Code:   "rate-refused",
			Reason: fmt.Sprintf("the service asked to send more slowly %d times in a row, even after pauses", maxThrottled),
			Fix:    "do the same again later, or with a lower rate",
			Later:  true,
		},
		importer.ReplyCreatedNoGUID: {
			Code:   "guid-missing",
			Reason: fmt.Sprintf("the service booked %d trips in a row without returning their GUIDs", maxNoGUID),
			Fix:    "ask the service which field of its answer has the trip GUID, and set that name in the configuration",
		},
		importer.ReplyPage: {
			Code:   "page-instead-of-answer",
			Reason: "a web page came back instead of the service's answer: it may be a network's sign-in page, or a proxy's page",
			Fix:    "check base_url and open it in a browser on this computer: sign in to the network, or ask whoever runs it to let the program through",
		},
		importer.ReplyRedirected: {
			Code:   "redirected",
			Reason: "the service's address redirects to another one, which was not followed: patient data is sent only to the address in the settings",
			Fix:    "check base_url against what the service told you",
		},
		importer.ReplyMisdirected: {
			Code:   "wrong-address",
			Reason: "the server at the service's address does not accept trips",
			Fix:    "check base_url against what the service told you",
		},
		importer.ReplyForeign: {
			Code:   "foreign-answer",
			Reason: "the service's answer to one trip was about another trip or another rider, so no answer can be relied on now",
			Fix:    "look up the trips marked \"may be booked\" and answer them in the morning list, then ask the service about it",
		},
		importer.ReplyBadCertificate: {
			Code:   "bad-certificate",
			Reason: "the service's certificate was not accepted, so nothing was sent to it",
			Fix:    "check base_url and this computer's date and time; if both are right, tell the service",
		},
	}
}
