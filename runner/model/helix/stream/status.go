package stream

// Status is the state of a stream.
type Status string

// The states of a stream: active and paused ones take chunks, ended and failed ones are finished.
const (
	Active Status = "active"
	Paused Status = "paused"
	Ended  Status = "ended"
	Failed Status = "failed"
)

func (s Status) finished() bool { return s == Ended || s == Failed }

// terminal is the type of the frame that finishes a stream of this status, "" if it isn't finished.
func (s Status) terminal() string { return map[Status]string{Ended: "end", Failed: "fail"}[s] }
