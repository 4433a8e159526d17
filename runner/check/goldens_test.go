package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/recording"
)

// Placeholders of goldens whose form a rule is about: times, as a number or in quotes, and UUIDs.
var (
	timePlaceholder = regexp.MustCompile(`"?\{ts(\d+)\}"?`)
	uuidPlaceholder = regexp.MustCompile(`\{step(\d*)\}`)
)

// filled replaces placeholders by values of their form, distinct ones by distinct values and times in their order.
func filled(body []byte) []byte {
	body = timePlaceholder.ReplaceAllFunc(body, func(placeholder []byte) []byte {
		n, _ := strconv.ParseInt(string(timePlaceholder.FindSubmatch(placeholder)[1]), 10, 64) // digits, by the expression
		at := time.UnixMilli(1702329600000 + n)
		if placeholder[0] == '"' {
			return at.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`)
		}
		return strconv.AppendInt(nil, at.UnixMilli(), 10)
	})
	return uuidPlaceholder.ReplaceAllFunc(body, func(placeholder []byte) []byte {
		return fmt.Appendf(nil, "00000000-0000-4000-8000-%012s", uuidPlaceholder.FindSubmatch(placeholder)[1])
	})
}

// brokenBy returns the rules that the streams of a golden break, with the titles of the transcripts. A rule that needs a
// capability judges the transcripts of requirements that need it too: the suite itself wrote the chunks of other streams.
func brokenBy(t *testing.T, suite *pack.Suite, file golden.File) []string {
	t.Helper()
	var broken []string
	for _, x := range file.Transcripts {
		tested, _ := suite.Book.Get(golden.Requirement(x.Name))
		needless := func(c string) bool { return !slices.Contains(tested.Capabilities, c) }
		found := func(f recording.Finding) error {
			if q, ok := suite.Book.Get(f.Requirement); ok && !slices.ContainsFunc(q.Capabilities, needless) {
				broken = append(broken, f.Requirement+" by "+x.Title)
			}
			return nil
		}
		for _, e := range x.Exchanges {
			for _, frames := range append([][][]byte{e.Frames}, alternatives(e)...) {
				body := bytes.NewReader(filled(bytes.Join(frames, nil)))
				if _, err := check.Run(t.Context(), suite, body, recording.Options{Found: found}); err != nil && len(frames) > 0 && !empty(err) {
					t.Errorf("%s: %v", x.Title, err)
				}
			}
		}
	}
	return broken
}

// alternatives lists the frames of the other responses that a golden accepts instead of one.
func alternatives(e golden.Exchange) [][][]byte {
	var out [][][]byte
	for _, a := range e.Alternatives {
		out = append(out, a.Frames)
	}
	return out
}

// empty reports whether a recording had nothing to judge, such as a body that ends inside its first frame.
func empty(err error) bool {
	var none *recording.EmptyError
	return errors.As(err, &none)
}

// TestGoldensBreakNoRule: each stream of each golden, also those that it accepts instead, is judged by every rule that
// a recording shows, not by that of its scenario alone. A sentence that a golden contradicts is false by letter.
func TestGoldensBreakNoRule(t *testing.T) {
	names, err := golden.Names(golden.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range packs.Names() {
		suite, n := certifytest.Load(t, pack), 0
		for _, name := range names {
			if !strings.HasPrefix(name, pack+"/") {
				continue
			}
			file, err := golden.Read(golden.FS, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, broken := range brokenBy(t, suite, file) {
				t.Errorf("golden/%s breaks %s", name, broken)
			}
			n++
		}
		if n == 0 {
			t.Errorf("no golden of %s was judged", pack)
		}
	}
}

// TestBrokenGoldenIsFound: a golden of one rule that breaks another one is found, in an alternative response too.
func TestBrokenGoldenIsFound(t *testing.T) {
	const name = "helix/lifecycle/a-stream-that.txt"
	file, err := golden.Read(golden.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	first := &file.Transcripts[0]
	first.Exchanges[0].Frames[1] = []byte("id: 2\ndata: {\"type\":\"fail\"}\n\n")
	second := &file.Transcripts[1].Exchanges[0]
	second.Alternatives = []golden.Alternative{{Status: 200, Frames: [][]byte{second.Frames[0], second.Frames[0]}}}
	got := brokenBy(t, certifytest.Load(t, "helix"), file)
	want := []string{"helix.wire.fail-frame by " + first.Title, "helix.ordering.ascending by " + file.Transcripts[1].Title}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
