package edit

import (
	"github.com/streamcert/streamcert/reference/aep"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// RefuseLarge refuses the requests whose messages tooLarge matches, and none of another size.
func RefuseLarge(tooLarge func(messages []aep.Message, limit int) bool) on.Apply {
	return func(o aep.Options) aep.Options {
		limit := o.MaxMessage
		o.MaxMessage, o.MaxBody = Unlimited, Unlimited
		return on.CheckedAsks(func(ask *aep.RequestBody) error {
			if tooLarge(ask.Messages, limit) {
				return &aep.Error{Code: "message_too_large", Message: "the message is too large"}
			}
			return nil
		})(o)
	}
}

// Unlimited is a number of bytes that no request has.
const Unlimited = 1 << 40
