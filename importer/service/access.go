package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// A providerBody is one element of the reply to the access operation. The
// contract spells TranportationProviderName without the s.
type providerBody struct {
	Key            string              `json:"APIKey"`
	Name           string              `json:"TranportationProviderName"`
	FundingSources []fundingSourceBody `json:"FundingSources"`
}

type fundingSourceBody struct {
	ID   int    `json:"FundingSourceId"`
	Name string `json:"FundingSourceName"`
}

// Access returns the providers and funding sources that the token may use. Its
// error is an *importer.AccessError if the service refused or could not be
// reached, or a sentence for a dispatcher if there is no usable token.
func (c *Client) Access(ctx context.Context) (importer.Access, error) {
	token, err := c.Token(ctx)
	if err != nil {
		return importer.Access{}, err
	}

	r := c.do(ctx, token, call{method: http.MethodGet, path: "/v1/access"})
	if r.err != nil {
		return importer.Access{}, &importer.AccessError{
			Reason:      "the service could not be asked what the token may use: " + c.reason(r.err),
			Certificate: !r.sent && netfailure.IsCertificate(r.err),
		}
	}
	if reason := c.accessFailure(r); reason != "" {
		return importer.Access{}, &importer.AccessError{Status: r.status, Reason: reason}
	}

	access, err := readAccess(r.body)
	if err != nil {
		return importer.Access{}, &importer.AccessError{Status: r.status, Reason: err.Error()}
	}
	return access, nil
}

// accessFailure returns the reason for which a reply is not the list of providers, or ""
// if it may be the list. It has nothing of an error's body, which may hold keys.
func (c *Client) accessFailure(r reply) string {
	switch {
	case r.status == http.StatusUnauthorized:
		return "the service does not accept the token: it may be wrong, expired or withdrawn"
	case r.status >= http.StatusBadRequest:
		return fmt.Sprintf("the service answered the access operation with an error (HTTP status %d)", r.status)
	}
	return c.classified(r, false, func(*importer.Reply) {}).Message
}

// readAccess parses the list of providers. It refuses the whole list if one
// provider has no name or no key, since no trip could be booked for it.
func readAccess(body []byte) (importer.Access, error) {
	var list []providerBody
	if err := json.Unmarshal(body, &list); err != nil || list == nil {
		return importer.Access{}, errors.New("the service's list of providers can't be read: it is not as its interface describes it")
	}

	var access importer.Access
	for _, p := range list {
		if p.Key == "" || p.Name == "" {
			return importer.Access{}, errors.New("the service's list of providers has one without a name or a key")
		}
		sources := importer.Each(p.FundingSources, func(f fundingSourceBody) importer.FundingSource { return importer.FundingSource(f) })
		access.Providers = append(access.Providers, importer.Provider{Name: p.Name, Key: importer.NewSecret(p.Key), FundingSources: sources})
	}
	return access, nil
}
