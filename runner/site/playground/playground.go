package playground

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judges"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Limits of the messages about one recording.
const (
	mostFindings = 2000      // that are sent one by one; of the others only their number is
	stretchLines = 200       // of a stretch
	stretchBytes = 64 << 10  // of a stretch, unless one event is longer
	progressStep = 256 << 10 // bytes between two reports of progress
)

// Options say how a recording is judged.
type Options struct {
	Pack string `json:"pack"` // its name, "" to recognise it
	Bare bool   `json:"bare"` // the data of an event is a chunk without its envelope
}

// Message reports on a recording; its kind determines the members.
type Message struct {
	Kind string `json:"kind"` // stretch, finding, progress or done

	Line   int   `json:"line,omitempty"`   // of a stretch or a finding, from 1
	Offset int64 `json:"offset"`           // of a stretch or a finding, in bytes
	Bytes  int64 `json:"bytes,omitempty"`  // read so far
	Events int   `json:"events,omitempty"` // judged so far

	Requirement string `json:"requirement,omitempty"` // its id, "" for a note on the recording itself
	Level       string `json:"level,omitempty"`
	Text        string `json:"text,omitempty"` // of a finding, a sentence without a full stop
	Want        string `json:"want,omitempty"`
	Got         string `json:"got,omitempty"`
	Instance    string `json:"instance,omitempty"` // JSON pointer into the data

	Pack      string         `json:"pack,omitempty"` // that the recording was judged by
	Format    string         `json:"format,omitempty"`
	Must      int            `json:"must"`
	Should    int            `json:"should"`
	Notes     int            `json:"notes"`
	Counts    map[string]int `json:"counts,omitempty"` // findings by requirement
	Exercised int            `json:"exercised,omitempty"`
	Testable  int            `json:"testable,omitempty"`
	Hint      string         `json:"hint,omitempty"`
	Error     string         `json:"error,omitempty"` // why the recording wasn't judged to its end
}

// Judge judges recordings by the rules of all packs. It is for one recording at a time.
type Judge struct{ rules []recording.Rules }

// New reads the rules of every pack of this build.
func New() (*Judge, error) {
	rules, err := recording.Load(spec.FS, schemas.FS, judges.All())
	if err != nil {
		return nil, fmt.Errorf("loading the rules of the playground: %w", err)
	}
	return &Judge{rules}, nil
}

// Digest returns the SHA-256 over the specification and the schemas, by which a page sees whether a program judges by the
// version that the page shows.
func Digest(specs, schemata fs.FS) (string, error) {
	h := sha256.New()
	for _, fsys := range []fs.FS{specs, schemata} {
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".md", ".json"}, ending(name)) {
				return err
			}
			b, err := fs.ReadFile(fsys, name)
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
			fmt.Fprintf(h, "%s %d\n", name, len(b))
			h.Write(b)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("reading what the playground judges by: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func ending(name string) string {
	for i := len(name) - 1; i >= 0 && name[i] != '/'; i-- {
		if name[i] == '.' {
			return name[i:]
		}
	}
	return ""
}

// Run judges a recording and reports it: the offset of each section of lines, each finding, sometimes the progress, and at
// the end the result, which it also returns.
func (j *Judge) Run(ctx context.Context, r io.Reader, o Options, tell func(Message)) Message {
	t := &telling{tell: tell, counts: map[string]int{}}
	rules, in, err := j.choose(r, o)
	if err != nil {
		return t.end(Message{Kind: "done", Error: err.Error()})
	}
	profile := judge.Enveloped
	if o.Bare {
		profile = judge.BareChunks
	}
	out, err := recording.Run(ctx, rules, in, recording.Options{
		Profile: profile, Found: t.found, Seen: t.seen, Others: j.rules,
	})
	done := Message{
		Kind: "done", Pack: rules.Pack, Format: out.Format, Events: out.Events, Bytes: out.Bytes, Must: out.Must, Should: out.Should,
		Notes: out.Notes, Counts: t.counts, Exercised: len(out.Exercised), Testable: len(rules.Testable()), Hint: out.Hint,
	}
	if err != nil {
		done.Error = err.Error()
	}
	return t.end(done)
}

// choose returns the requested rules, or those of the recording's pack.
func (j *Judge) choose(r io.Reader, o Options) (recording.Rules, io.Reader, error) {
	if o.Pack == "" {
		rules, in := recording.Recognise(j.rules, r)
		return rules, in, nil
	}
	i := slices.IndexFunc(j.rules, func(r recording.Rules) bool { return r.Pack == o.Pack })
	if i < 0 {
		return recording.Rules{}, nil, errors.New("there is no pack " + o.Pack)
	}
	return j.rules[i], r, nil
}

// telling is the state of the reports on one recording.
type telling struct {
	tell      func(Message)
	counts    map[string]int
	findings  int
	started   bool  // a section was reported
	line      int   // from 1, where the judged section starts
	offset    int64 // in bytes, where the judged section starts
	progress  int64 // last reported progress
	events    int
	must, may int
}

// seen reports the beginning of a section, and the progress.
func (t *telling) seen(f *wire.Frame) {
	if f.Dispatched() {
		t.events++
	}
	if !t.started || f.Line-t.line >= stretchLines || f.Offset-t.offset >= stretchBytes {
		t.started, t.line, t.offset = true, f.Line, f.Offset
		t.tell(Message{Kind: "stretch", Line: f.Line, Offset: f.Offset})
	}
	if f.End-t.progress >= progressStep {
		t.progress = f.End
		t.tell(Message{Kind: "progress", Bytes: f.End, Events: t.events, Must: t.must, Should: t.may})
	}
}

func (t *telling) found(f recording.Finding) error {
	if f.Requirement != "" {
		t.counts[f.Requirement]++
		if f.Level.Advisory() {
			t.may++
		} else {
			t.must++
		}
	}
	if t.findings++; t.findings <= mostFindings {
		t.tell(Message{
			Kind: "finding", Line: f.Line, Offset: f.Offset, Requirement: f.Requirement, Level: string(f.Level), Text: f.Message,
			Want: f.Want, Got: f.Got, Instance: f.Instance,
		})
	}
	return nil
}

func (t *telling) end(m Message) Message {
	t.tell(m)
	return m
}
