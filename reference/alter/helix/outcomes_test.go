package helix_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// ending keeps how a stream ended.
type ending struct {
	journal
	end string
}

func (e *ending) End(_ context.Context, _ runtime.Writer, output json.RawMessage) error {
	e.end = "end " + string(output)
	return nil
}

func (e *ending) Fail(_ context.Context, _ runtime.Writer, message, code string) error {
	e.end = "fail " + message + " " + code
	return nil
}

// TestOutcomes: the effect of an alteration on a run that is done with 1, and on one that fails with x and y. Both wrote a
// and b.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name       string
		do         on.Apply
		done, fail string
	}{
		{"end", on.Outcomes().End(), "end 1", "end "},
		{"end, of others", on.Outcomes(on.Type("c")).End(), "end 1", "fail x y"},
		{"fail", on.Outcomes(on.Type("a")).Fail("m", "n"), "fail m n", "fail x y"},
		{"fail, of those that wrote two", on.Outcomes(on.Type("a").From(2)).Fail("m", "n"), "end 1", "fail x y"},
		{"edit", on.Outcomes().Edit(func(o *on.Outcome) { o.Output, o.Code = nil, "" }), "end ", "fail x "},
		{"edit by the last", on.Outcomes(on.Any()).EditBy(func(o *on.Outcome, last runtime.Chunk) {
			o.Output, o.Message = json.RawMessage(`"`+last.Type()+`"`), last.Type()
		}), `end "b"`, "fail b y"},
	} {
		for _, fails := range []bool{false, true} {
			kept, want := &ending{}, c.done
			o := reference.Defaults(reference.Options{Store: ended()})
			o.Runtime = func(p runtime.Ports) runtime.Ports { p.Journal = kept; return p }
			j, ctx, w := c.do(o).Runtime(runtime.Ports{}).Journal, context.Background(), runtime.Writer{Stream: "s"}
			_, err := j.Append(ctx, w, []runtime.Chunk{{"type": "a"}, {"type": "b"}})
			if err == nil && fails {
				err, want = j.Fail(ctx, w, "x", "y"), c.fail
			} else if err == nil {
				err = j.End(ctx, w, json.RawMessage("1"))
			}
			if kept.end != want || err != nil {
				t.Errorf("%s: got %q, want %q, %v", c.name, kept.end, want, err)
			}
		}
	}
}
