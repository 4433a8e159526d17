package aep

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

// OnDecode changes how the body of a request is read.
func OnDecode(change func(body []byte, decode func([]byte) (aep.Ask, error)) (aep.Ask, error)) Apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.Ask, error) { return change(body, decode) }
		return o
	}
}

// Bodies changes the members of a body before it is read; an error refuses the request.
func Bodies(change func(body alter.Object) error) Apply {
	return OnDecode(func(body []byte, decode func([]byte) (aep.Ask, error)) (aep.Ask, error) {
		if members := alter.Members(body); members != nil {
			if err := change(members); err != nil {
				return aep.Ask{}, err
			}
			body = alter.Encode(members)
		}
		return decode(body)
	})
}

// Invalid refuses bodies for which a function holds, as the server itself does, with a message.
func Invalid(message string, hit func(body alter.Object) bool) Apply {
	return Bodies(func(body alter.Object) error {
		if hit(body) {
			return Malformed(message)
		}
		return nil
	})
}

// Malformed is the error by which the server itself refuses a request that has another form.
func Malformed(message string) error {
	return &aep.Error{Code: "invalid_message_format", Message: message}
}

// Asks changes what a request says, once it is read; an error refuses it.
func Asks(change func(ask *aep.Ask) error) Apply {
	return OnDecode(func(body []byte, decode func([]byte) (aep.Ask, error)) (aep.Ask, error) {
		ask, err := decode(body)
		if err == nil {
			err = change(&ask)
		}
		return ask, err
	})
}

// Messages changes each message of a request.
func Messages(change func(m *aep.Message)) Apply {
	return Asks(func(ask *aep.Ask) error {
		for i := range ask.Messages {
			change(&ask.Messages[i])
		}
		return nil
	})
}

// UserTexts changes each block of what the user says.
func UserTexts(change func(text string) string) Apply {
	return Messages(func(m *aep.Message) {
		for i := range m.Blocks {
			m.Blocks[i] = change(m.Blocks[i])
		}
	})
}

// Authentication changes who somebody is: it gets what the server says of a request, a name or an error.
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

// Trust changes whether a script is taken: it gets what the server says of it.
func Trust(change func(err error, ask *aep.Ask) error) Apply {
	return func(o aep.Options) aep.Options {
		trust := o.Trust
		o.Trust = func(r *http.Request, ask *aep.Ask) error { return change(trust(r, ask), ask) }
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

// IDsOf are the ids of those requests for which a function holds.
func IDsOf(requests []aep.Request, hit func(r aep.Request) bool) (ids []string) {
	for _, r := range requests {
		if hit(r) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
