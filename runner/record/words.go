package record

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the purpose of an exchange. The zero value is none.
type Kind int

// The kinds of exchange.
const (
	Read     Kind = iota + 1 // a reader of a stream: certified
	Document                 // a request for StreamInfo: certified
	Snapshot                 // a request for a snapshot: certified
	Control                  // a call of the control binding: provokes, is never certified
)

// Origin states who made the chunks of a stream.
type Origin int

// The origins of a stream's chunks.
const (
	// Relayed chunks were written by the runner through the control binding: only their delivery, framing and envelope are
	// judged, never their content.
	Relayed Origin = iota
	// Produced chunks are made by the server, and are judged in full.
	Produced
)

// End states how the body of a response ended. The zero value is not known.
type End int

// The ends of a body.
const (
	Open        End = iota + 1 // nothing had ended it when the reader stopped waiting
	ServerClose                // the server finished the body cleanly
	Broken                     // the connection broke: a reset, or an incomplete body
	ClientClose                // the reader closed it
)

// kindWords and endWords return the words of reports, in the order of the constants. schemas/report.json lists them too.
func kindWords() []string { return []string{"", "read", "document", "snapshot", "control"} }

func endWords() []string {
	return []string{"", "open", "server closes", "connection broke", "client closes"}
}

// String returns the word of a report, "" for the zero value.
func (k Kind) String() string { return wordOf(kindWords(), int(k)) }

// String returns the word of a report, "" for the zero value.
func (e End) String() string { return wordOf(endWords(), int(e)) }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// MarshalText implements encoding.TextMarshaler.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. The error lists the words.
func (k *Kind) UnmarshalText(text []byte) error {
	i, err := indexOf(kindWords(), "kind of exchange", string(text))
	*k = Kind(i)
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler. The error lists the words.
func (e *End) UnmarshalText(text []byte) error {
	i, err := indexOf(endWords(), "end of a body", string(text))
	*e = End(i)
	return err
}

func wordOf(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return fmt.Sprint(i)
	}
	return words[i]
}

func indexOf(words []string, what, word string) (int, error) {
	i := slices.Index(words, word)
	if i < 0 {
		return 0, fmt.Errorf("%q is no %s, expected one of: %s", word, what, strings.Join(words[1:], ", "))
	}
	return i, nil
}

// NothingToJudge is the reason of an unprovable row in which a step had nothing to check.
const NothingToJudge = "nothing to judge"
