package aep

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

// OnDecode changes how the body of a request is read.
func OnDecode(change func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error)) Apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.RequestBody, error) { return change(body, decode) }
		return o
	}
}

// Bodies changes the members of a body before it is read.
func Bodies(change func(body alter.Object)) Apply {
	return OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
		if members := alter.Members(body); members != nil {
			change(members)
			body = alter.Encode(members)
		}
		return decode(body)
	})
}

// Refusing rejects bodies that hit matches, with an error.
func Refusing(err error, hit func(body alter.Object) bool) Apply {
	return OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
		if members := alter.Members(body); members != nil && hit(members) {
			return aep.RequestBody{}, err
		}
		return decode(body)
	})
}

// Malformed is the error by which the server itself refuses a request that has another form.
func Malformed(message string) error {
	return &aep.Error{Code: "invalid_message_format", Message: message}
}

// Asks changes a decoded request.
func Asks(change func(ask *aep.RequestBody)) Apply {
	return CheckedAsks(func(ask *aep.RequestBody) error {
		change(ask)
		return nil
	})
}

// CheckedAsks changes a decoded request; an error refuses it.
func CheckedAsks(change func(ask *aep.RequestBody) error) Apply {
	return OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
		ask, err := decode(body)
		if err == nil {
			err = change(&ask)
		}
		return ask, err
	})
}

// Messages changes each message of a request.
func Messages(change func(m *aep.Message)) Apply {
	return Asks(func(ask *aep.RequestBody) {
		for i := range ask.Messages {
			change(&ask.Messages[i])
		}
	})
}

// Authentication changes the result of authentication: it gets the server's result for a request, a name or an error.
func Authentication(change func(r *http.Request, name string, err error) (string, error)) Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Authenticate
		o.Authenticate = func(r *http.Request) (string, error) {
			name, err := inner(r)
			return change(r, name, err)
		}
		return o
	}
}

// Trust changes whether a script is accepted: it gets the server's result.
func Trust(change func(err error, ask *aep.RequestBody) error) Apply {
	return func(o aep.Options) aep.Options {
		trust := o.Trust
		o.Trust = func(r *http.Request, ask *aep.RequestBody) error { return change(trust(r, ask), ask) }
		return o
	}
}

// Cancelling changes which requests a cancellation ends: it gets those that are live, and those that the server would end.
func Cancelling(change func(live []aep.Request, principal, id string, ends []string) []string) Apply {
	return func(o aep.Options) aep.Options {
		cancelled := o.Cancelled
		o.Cancelled = func(live []aep.Request, principal, id string) []string {
			return change(live, principal, id, cancelled(live, principal, id))
		}
		return o
	}
}

// IDsOf returns the ids of the requests that hit matches.
func IDsOf(requests []aep.Request, hit func(r aep.Request) bool) (ids []string) {
	for _, r := range requests {
		if hit(r) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
