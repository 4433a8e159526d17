package store

import (
	"context"
	"encoding/json"
	"errors"
)

// Errors that a caller decides on.
var (
	ErrUnknownStream = errors.New("unknown stream")
	ErrUnknownWriter = errors.New("unknown writer")
	ErrWriterClosed  = errors.New("the writer is closed")
	ErrFinished      = errors.New("the stream is finished")
	// ErrComplete answers a subscription whose cursor is at or past the terminal event of a finished stream.
	ErrComplete = errors.New("the stream is finished and its reader has everything")
	// ErrStarted refuses an initial state for a stream that contains chunks.
	ErrStarted = errors.New("the stream holds chunks already")
	// ErrStreamFull refuses a write that would make one stream too large, ErrFull one that would make their sum too large.
	ErrStreamFull = errors.New("the stream would be larger than the limit")
	ErrFull       = errors.New("all streams would be larger than the limit")
	// ErrLagging cuts a subscription that left too many notices unread. Its reader can resume.
	ErrLagging = errors.New("the reader left too many notices unread")
	// ErrOutdated refuses a record that was made of another version than the one that is stored.
	ErrOutdated = errors.New("the record was changed meanwhile")
	// ErrUnavailable reports that the store can't be reached now. It is unknown whether a change was made; it is made
	// completely or not at all.
	ErrUnavailable = errors.New("the store can't be reached")
)

// Status is the state of a stream.
type Status string

// The states of a stream: active and paused alternate, ended and failed are final unless the stream is reset.
const (
	Active Status = "active"
	Paused Status = "paused"
	Ended  Status = "ended"
	Failed Status = "failed"
)

// Kind is the kind of an event.
type Kind int

// The first three are in the log and have a sequence; the other two are notices and have none.
const (
	ChunkWritten Kind = iota + 1
	StreamEnded
	StreamFailed
	StatusChanged
	Truncated
)

// Terminal reports whether nothing follows an event of this kind.
func (k Kind) Terminal() bool { return k == StreamEnded || k == StreamFailed }

// Chunk is one compact JSON value, as it was written, and the step that it belongs to.
type Chunk struct {
	JSON    json.RawMessage // compact
	Step    int64           // undefined unless HasStep
	HasStep bool            // a chunk without a step is never removed by a cleanup
}

// Event is one thing that a subscription delivers. Its bytes are shared with the log: replace them, never change them.
type Event struct {
	Kind        Kind            // decides which of the fields below are set
	Sequence    int64           // ChunkWritten, StreamEnded, StreamFailed
	Chunk       Chunk           // ChunkWritten
	FinalOutput json.RawMessage // StreamEnded; nil if the stream was ended without one
	Error, Code string          // StreamFailed; an empty code means none
	Status      Status          // StatusChanged: Active or Paused
	AtStep      int64           // Truncated: the step that the cleanup named
	AtSequence  int64           // Truncated: the highest sequence assigned to a chunk until then
}

// Info describes a stream.
type Info struct {
	Status         Status // Ended or Failed if Terminal isn't 0
	LatestSequence int64  // highest sequence ever assigned to a chunk; 0 if none was
	ChunkCount     int64  // chunks stored now
	Terminal       int64  // id of the terminal event; 0 while there is none
}

// Mark is the position up to which a caller of Read has read. The zero value is before everything.
type Mark struct {
	Sequence int64 // last chunk that it knows
	Edition  int64 // edition of the log that the chunk was read from
}

// Log is a stream at one instant. Its bytes are shared with the store: replace them, never change them.
type Log struct {
	Info
	Initial json.RawMessage // the state that the first patch applies to; nil if none was set
	// Edition changes whenever events were removed from the log or the initial state was set, and is unique across streams,
	// so that a result computed from an edition stays valid while the edition stays the same.
	Edition   int64
	FromStart bool    // the events begin with the first that is stored, because the mark is of another edition
	Events    []Event // the events after the mark, the terminal event included
}

// Key identifies a record.
type Key struct {
	// Name is unique among the records of all streams.
	Name string
	// Stream is the stream that a record belongs to, which has to be there: the record is stored for as long as that is. "" is
	// none.
	Stream string
}

// Store stores streams by name. Every method may be called concurrently. All but OpenWriter and SetInitial return
// ErrUnknownStream for a stream that doesn't exist. Methods that add data may return ErrStreamFull or ErrFull, and have
// changed nothing then. End, Fail, SetStatus and Cleanup observe the writer of their context, see By.
type Store interface {
	// OpenWriter opens a writer and creates its stream if need be. Several writers may be open at once.
	OpenWriter(ctx context.Context, stream string) (writer string, err error)
	// CloseWriter closes a writer and nothing else; closing it again changes nothing. Errors: ErrUnknownWriter.
	CloseWriter(ctx context.Context, stream, writer string) error
	// Append stores all chunks or none, next to each other, and returns their sequences in order.
	// Errors: ErrUnknownWriter, ErrWriterClosed, ErrFinished.
	Append(ctx context.Context, stream, writer string, chunks []Chunk) ([]int64, error)
	// End and Fail finish a stream. The first of them decides; on a finished stream they change nothing.
	End(ctx context.Context, stream string, finalOutput json.RawMessage) error
	Fail(ctx context.Context, stream, message, code string) error
	// SetStatus makes a stream Active or Paused. A paused stream takes chunks as before. Errors: ErrFinished.
	SetStatus(ctx context.Context, stream string, status Status) error
	// Cleanup removes the chunks whose step is greater than the one given. Sequences are not used again.
	Cleanup(ctx context.Context, stream string, step int64) error
	// Reset removes every chunk and the terminal event and makes the stream active. Sequences go on.
	Reset(ctx context.Context, stream string) error
	// Delete forgets a stream; its subscriptions end with ErrUnknownStream.
	Delete(ctx context.Context, stream string) error
	Info(ctx context.Context, stream string) (Info, error)
	// SetInitial sets the state that a stream begins with, one JSON value, and creates the stream if need be.
	// Errors: ErrStarted, ErrFinished.
	SetInitial(ctx context.Context, stream string, state json.RawMessage) error
	// Read returns the description of a stream and its events after a mark, all of one instant.
	Read(ctx context.Context, stream string, after Mark) (Log, error)
	// Subscribe attaches a reader after a sequence; 0 is the start. It is attached when Subscribe returns.
	// Errors: ErrComplete.
	Subscribe(ctx context.Context, stream string, after int64) (Subscription, error)
	// Record returns the text that servers store under a name, separate from the streams, and its version; nil and 0 for
	// none.
	Record(ctx context.Context, name string) (text []byte, version int64, err error)
	// SetRecord replaces the text of a record, if its version is still the given one, 0 for none. The version is one more
	// then. nil removes it. Errors: ErrOutdated.
	SetRecord(ctx context.Context, key Key, version int64, text []byte) error
	// ForgetRecords removes all records of a stream.
	ForgetRecords(ctx context.Context, stream string) error
}

// Subscription delivers one reader's events. It belongs to one goroutine.
type Subscription interface {
	// Next waits until there are events to deliver and returns all that are ready, up to an internal limit. Events that are
	// ready are returned even if the context is done. The slice is the caller's until the next call; after an empty one the
	// caller calls Next again. After the terminal event it returns io.EOF.
	Next(ctx context.Context) ([]Event, error)
	Close()
}
