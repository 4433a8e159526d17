package golden

import "embed"

// FS contains FORMAT.md and every golden of the kit as <pack>/<chapter>/<scenario>.txt. The samples of this package's
// tests are in it, under testdata; Load and Check pass over them.
//
//go:embed FORMAT.md */*/*.txt
var FS embed.FS

// How a response came to its end, as Exchange.End states it.
const (
	ServerCloses    = "server closes"
	ClientCloses    = "client closes"
	ConnectionReset = "connection reset"
	StillOpen       = "still open"
)

// Reconnects is the heading of an exchange in which a reader resumes by itself, because the server closed
// the body without a terminal frame. Compare reads it as the continuation of the exchange before it.
const Reconnects = "the reader reconnects"

// File is one golden file: the transcripts of a scenario, or of an outline's examples in their order.
type File struct {
	Transcripts []Transcript // at least one
}

// Transcript is the exchange that one scenario saw. Name is <pack>.<chapter>.<slug>, optionally followed by more dotted parts.
type Transcript struct {
	Name, Title string
	Exchanges   []Exchange
}

// Exchange is one request and its response. Frames contain the raw blocks of a stream, Answer the body of anything else.
// End is one of the four words above, or "" for a unary answer. Status 0 means no response head.
type Exchange struct {
	Heading         string
	Method, Path    string
	Headers         []Header // in the order of names
	Body            []byte   // normalised
	Status          int      // 0 without a response
	ResponseHeaders []Header
	Frames          [][]byte // raw blocks; nil for a unary answer
	Answer          []byte   // nil for a stream
	End             string   // "" for a unary answer

	// Also lists other statuses that the spec accepts here; Alternatives complete other responses. Both are added to
	// goldens by an editor, survive an update, and matter to Compare only.
	Also         []int
	Alternatives []Alternative
}

// Alternative is another response that the spec accepts at the same position; Reason names the freedom that it uses.
type Alternative struct {
	Reason          string // one line; "" for none
	Status          int
	Also            []int
	ResponseHeaders []Header
	Frames          [][]byte // nil for a unary answer
	Answer          []byte   // nil for a stream
	End             string   // "" for a unary answer
}

// Header is one header line.
type Header struct{ Name, Value string }

// response returns the exchange's response in the shape of its alternatives.
func (e Exchange) response() Alternative {
	return Alternative{Status: e.Status, Also: e.Also, ResponseHeaders: e.ResponseHeaders, Frames: e.Frames,
		Answer: e.Answer, End: e.End}
}

// answered sets the response of the exchange.
func (e *Exchange) answered(r Alternative) {
	e.Status, e.Also, e.ResponseHeaders = r.Status, r.Also, r.ResponseHeaders
	e.Frames, e.Answer, e.End = r.Frames, r.Answer, r.End
}

// isEnd reports whether s is one of the words for an end.
func isEnd(s string) bool {
	return s == ServerCloses || s == ClientCloses || s == ConnectionReset || s == StillOpen
}
