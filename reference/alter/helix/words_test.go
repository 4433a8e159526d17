package helix_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// ended returns a store with a finished empty stream.
func ended() store.Store {
	s, ctx := new(store.Memory), context.Background()
	if _, err := s.OpenWriter(ctx, "s"); err != nil {
		panic(err)
	}
	if err := s.End(ctx, "s", nil); err != nil {
		panic(err)
	}
	return s
}

// The end of a stream is named, and numbered by another.
func ExampleFrames() {
	o := on.Frames(on.Of(store.StreamEnded)).Name("end")(reference.Defaults(reference.Options{Store: ended()}))
	o = on.Events(on.Fresh(), on.IfEvent(func(e store.Event) bool { return e.Kind.Terminal() })).Edit(func(e *store.Event) { e.Sequence = 7 })(o)
	answer := httptest.NewRecorder()
	server := reference.New(o)
	defer server.Close()
	server.ServeHTTP(answer, httptest.NewRequest("GET", "/streams/s/events", nil))
	fmt.Print(answer.Body)
	// Output:
	// event: end
	// id: 7
	// data: {"type":"end"}
}

// journal keeps the chunks that reach it, in the order of their writing.
type journal struct {
	runtime.Journal
	chunks []runtime.Chunk
}

func (j *journal) Append(_ context.Context, _ runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	first := len(j.chunks)
	j.chunks = append(j.chunks, chunks...)
	var sequences []int64
	for i := first; i < len(j.chunks); i++ {
		sequences = append(sequences, int64(i+1))
	}
	return sequences, nil
}

// TestWritten: the effect of an alteration on chunks that are written at once, all but the first by a child.
func TestWritten(t *testing.T) {
	said := func(id, kind string, n int) runtime.Chunk { return runtime.Chunk{"agentId": id, "type": kind, "n": n} }
	written := on.Written(on.Type("b"))
	for _, c := range []struct {
		name string
		do   on.Apply
		want []runtime.Chunk
	}{
		{"set", written.Set("n", 7), []runtime.Chunk{said("root", "a", 1), said("child", "b", 7), said("child", "b", 7)}},
		{"add", written.Add("n", 1), []runtime.Chunk{said("root", "a", 1), said("child", "b", 3), said("child", "b", 4)}},
		{"stick", written.Stick("n"), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 2)}},
		{"stick of another chunk", on.Written().Stick("n", "agentId"), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 2)}},
		{"stick of what isn't there", on.Written().Stick("m"), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 3)}},
		{"as root", written.AsRoot(), []runtime.Chunk{said("root", "a", 1), said("root", "b", 2), said("root", "b", 3)}},
		{"per", on.Written(on.Per("agentId", on.Any().From(2))).Drop(), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2)}},
		{"has", on.Written(on.Has("n").Not()).Drop(), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 3)}},
		{"follow with", on.Written(on.Type("a")).FollowWith("c", runtime.Chunk{"n": 9}),
			[]runtime.Chunk{said("root", "a", 1), said("root", "c", 9), said("child", "b", 2), said("child", "b", 3)}},
		{"lag", written.Lag("n"), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 2)}},
		{"recall", written.Recall("n", on.Type("a"), "n"), []runtime.Chunk{said("root", "a", 1), said("child", "b", 1), said("child", "b", 1)}},
		{"drop of children", on.Written(on.ByChild(), on.Is("n", 3)).Drop(), []runtime.Chunk{said("root", "a", 1), said("child", "b", 2)}},
		{"copied", on.Written(on.Type("a")).Copied(), []runtime.Chunk{said("root", "a", 1), said("root", "a", 1), said("child", "b", 2), said("child", "b", 3)}},
		{"by", written.By(func(by *on.Producer, c runtime.Chunk) { c["agentId"] = by.Session }),
			[]runtime.Chunk{said("root", "a", 1), said("root", "b", 2), said("root", "b", 3)}},
	} {
		kept := &journal{}
		o := reference.Defaults(reference.Options{Store: ended()})
		o.Runtime = func(p runtime.Ports) runtime.Ports { p.Journal = kept; return p }
		ports := c.do(o).Runtime(runtime.Ports{})
		sequences, err := ports.Journal.Append(context.Background(), runtime.Writer{Stream: "s", Session: "root"},
			[]runtime.Chunk{said("root", "a", 1), said("child", "b", 2), said("child", "b", 3)})
		if diff := cmp.Diff(c.want, kept.chunks); diff != "" || err != nil || len(sequences) == 0 {
			t.Errorf("%s: %v %v\n%s", c.name, sequences, err, diff)
		}
	}
}

// TestSequences: a chunk has the sequence of its last replacement; a dropped one has that of the last before it.
func TestSequences(t *testing.T) {
	for _, c := range []struct {
		name string
		do   on.Apply
		want []int64
	}{
		{"as they are", on.Written().Edit(func(*runtime.Chunk) {}), []int64{1, 2, 3}},
		{"the first twice", on.Written(on.Type("a")).Copied(), []int64{2, 3, 4}},
		{"the second three times", on.Written(on.Type("b")).To(func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
			return []runtime.Chunk{c, c, c}
		}), []int64{1, 4, 5}},
		{"without the second", on.Written(on.Type("b")).Drop(), []int64{1, 1, 2}},
		{"without the first", on.Written(on.Type("a")).Drop(), []int64{1, 1, 2}},
		{"without any", on.Written().Drop(), nil},
		{"backwards", on.OnAppended(func(*on.Producer) func([]runtime.Chunk) []runtime.Chunk {
			return func(chunks []runtime.Chunk) []runtime.Chunk { return append(chunks, chunks[0]) }
		}), []int64{2, 3, 4}},
	} {
		o := reference.Defaults(reference.Options{Store: ended()})
		o.Runtime = func(p runtime.Ports) runtime.Ports { p.Journal = &journal{}; return p }
		got, err := c.do(o).Runtime(runtime.Ports{}).Journal.Append(context.Background(), runtime.Writer{Stream: "s"},
			[]runtime.Chunk{{"type": "a"}, {"type": "b"}, {"type": "c"}})
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, diff)
		}
	}
}
