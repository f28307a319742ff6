package sandbox

import (
	"encoding/json"
	"net/http"
)

// A request is a request whose path, method and token are right.
type request struct {
	number    int64 // in order of arrival, from 1
	operation Operation
	body      body
}

// A Response is a complete answer, before it is written or spoiled.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Refusal returns an error response. The contract does not show the structure
// of its body; ours is an object with a message.
func Refusal(status int, message string) *Response {
	return JSONResponse(status, map[string]string{"message": message})
}

// JSONResponse returns a response with the JSON of a value.
func JSONResponse(status int, value any) *Response {
	body, _ := json.Marshal(value) // texts and finite numbers can always be encoded
	return &Response{
		Status: status,
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body:   body,
	}
}

// Write sends the response.
func (a *Response) Write(w http.ResponseWriter) {
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // fails only if the client is gone
}
