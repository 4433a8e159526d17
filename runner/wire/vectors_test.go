package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A vector is a body with the events that EventSource dispatches.
type vector struct {
	Name   string   `json:"name"`
	Input  []byte   `json:"input_base64"`
	Chunks [][]byte `json:"chunks_base64"`
	Events []event  `json:"expect"`
	LastID string   `json:"lastEventId"`
	Retry  *int     `json:"retry"`
}

type event struct {
	Event string `json:"event"`
	Data  string `json:"data"`
	ID    string `json:"id"`
}

func loadVectors(t testing.TB) []vector {
	t.Helper()
	b, err := os.ReadFile("testdata/sse-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	if err := json.Unmarshal(b, &vs); err != nil {
		t.Fatal(err)
	}
	if len(vs) < 40 {
		t.Fatalf("only %d vectors", len(vs))
	}
	return vs
}

// A pieces reader brings one piece a read.
type pieces struct {
	remaining [][]byte
	err       error // at the end; nil means io.EOF
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.remaining) > 0 && len(p.remaining[0]) == 0 {
		p.remaining = p.remaining[1:]
	}
	if len(p.remaining) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		return 0, io.EOF
	}
	n := copy(b, p.remaining[0])
	p.remaining[0] = p.remaining[0][n:]
	return n, nil
}

func unsplit(b []byte) [][]byte { return [][]byte{b} }

func byByte(b []byte) [][]byte {
	var out [][]byte
	for i := range b {
		out = append(out, b[i:i+1])
	}
	return out
}

func randomly(rnd *rand.Rand, b []byte) [][]byte {
	var out [][]byte
	for len(b) > 0 {
		n := 1 + rnd.Intn(min(len(b), 9))
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

// divided draws a division of a body.
func divided(t *rapid.T, b []byte) (out [][]byte) {
	for len(b) > 0 {
		n := rapid.IntRange(1, min(len(b), 9)).Draw(t, "bytes")
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

// observe reads a body as EventSource would.
func observe(t rapid.TB, parts [][]byte) vector {
	t.Helper()
	var got vector
	r := NewReader(&pieces{remaining: parts}, Options{})
	for {
		f, err := r.Next()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.HasRetry {
			got.Retry = &f.Retry
		}
		got.LastID = f.LastEventID
		if !f.Dispatched() {
			continue
		}
		name := f.Event
		if name == "" {
			name = "message"
		}
		got.Events = append(got.Events, event{name, string(f.Data), f.LastEventID})
	}
}

func wantObserved(t rapid.TB, want vector, parts [][]byte) {
	t.Helper()
	given := slices.Clone(parts)
	if diff := cmp.Diff(want, observe(t, parts)); diff != "" {
		t.Fatalf("split %q (-want +got)\n%s", given, diff)
	}
}

func TestVectors(t *testing.T) {
	for _, v := range loadVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			splits := [][][]byte{unsplit(v.Input), byByte(v.Input)}
			if v.Chunks != nil {
				if !bytes.Equal(bytes.Join(v.Chunks, nil), v.Input) {
					t.Fatal("the chunks aren't the input")
				}
				splits = append(splits, v.Chunks)
			}
			want := vector{Events: v.Events, LastID: v.LastID, Retry: v.Retry}
			if len(want.Events) == 0 {
				want.Events = nil
			}
			for _, parts := range splits {
				wantObserved(t, want, parts)
			}
			rapid.Check(t, func(t *rapid.T) { wantObserved(t, want, divided(t, v.Input)) })
		})
	}
}
