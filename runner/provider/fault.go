package provider

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// Fault is an answer that is an error, as providers shape it.
type Fault struct {
	Status  int    // of HTTP, 4xx or 5xx
	Message string // for the server
	Type    string
	Code    string // "" is null
	Param   string // "" is null
	// RetryAfter is in seconds, for 429; negative sends none.
	RetryAfter int
}

// The faults that providers answer with.
var (
	BadRequest  = Fault{Status: http.StatusBadRequest, Message: "The request is not one that this model takes.", Type: "invalid_request_error", RetryAfter: -1}
	WrongKey    = Fault{Status: http.StatusUnauthorized, Message: "Incorrect API key provided.", Type: "invalid_request_error", Code: "invalid_api_key", RetryAfter: -1}
	RateLimited = Fault{Status: http.StatusTooManyRequests, Message: "Rate limit reached. Try again later.", Type: "requests", Code: "rate_limit_exceeded"}
	Broken      = Fault{Status: http.StatusInternalServerError, Message: "The server had an error while processing your request.", Type: "server_error", RetryAfter: -1}
)

// invalid returns a refusal of a request that the server under test has got wrong.
func invalid(param, code, message string) Fault {
	f := BadRequest
	f.Message, f.Code, f.Param = message, code, param
	return f
}

// orNull returns a text, or null instead of an empty one.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// body returns the JSON of a fault.
func (f Fault) body() []byte {
	return encode(map[string]any{"error": map[string]any{
		"message": f.Message, "type": f.Type, "param": orNull(f.Param), "code": orNull(f.Code),
	}})
}

func (f Fault) answer(w http.ResponseWriter) {
	if f.RetryAfter >= 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	document(w, f.Status, f.body())
}

func document(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}

// encode returns the JSON of a value that can be encoded.
func encode(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts, numbers and JSON that was read
	}
	return out
}
