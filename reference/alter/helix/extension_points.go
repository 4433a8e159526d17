package helix

import (
	"context"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Apply changes the options of a server.
type Apply = func(helix.Options) helix.Options

// Attachment subscribes a reader to its stream.
type Attachment = func(context.Context, store.Store, helix.Reader) (store.Subscription, error)

// OnAttachment replaces how readers are subscribed.
func OnAttachment(replace func(ctx context.Context, s store.Store, r helix.Reader,
	attach Attachment) (store.Subscription, error)) Apply {
	return func(o helix.Options) helix.Options {
		attach := o.Attach
		o.Attach = func(ctx context.Context, s store.Store, r helix.Reader) (store.Subscription, error) {
			return replace(ctx, s, r, attach)
		}
		return o
	}
}

// OnAttach wraps the subscription of each reader.
func OnAttach(wrap func(inner store.Store, r helix.Reader, s store.Subscription) store.Subscription) Apply {
	return OnAttachment(func(ctx context.Context, inner store.Store, r helix.Reader,
		attach Attachment) (store.Subscription, error) {
		s, err := attach(ctx, inner, r)
		if err != nil {
			return nil, err
		}
		return wrap(inner, r, s), nil
	})
}

// OnBytes changes the bytes of each block, its blank line included. begin is called once for each response.
func OnBytes(begin func(o helix.Options, r helix.Reader) func(whole []byte, e store.Event) []byte) Apply {
	return func(o helix.Options) helix.Options {
		inner := o
		o.Encoder = func(r helix.Reader) helix.Encoder {
			encode, change := inner.Encoder(r), begin(inner, r)
			return alter.Encoder[store.Event](func(dst []byte, e store.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}
