package wire

import (
	"errors"
	"math/rand"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// FuzzReader checks the reader's invariants on any body: it doesn't panic, its frames tile the body, and they don't depend
// on how the body was divided.
func FuzzReader(f *testing.F) {
	for i, v := range loadVectors(f) {
		f.Add(v.Input, int64(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, seed int64) {
		const limit = 256
		var comments []string
		o := Options{Now: still, MaxFrame: limit, OnComment: func(s string, _ time.Time) { comments = append(comments, s) }}
		want, tail, wantErr := readAll(&pieces{remaining: unsplit(body)}, o)
		var over *LimitError
		if !errors.As(wantErr, &over) {
			if why := untiled(want, tail, body); why != "" {
				t.Fatalf("%s of %q", why, body)
			}
		}
		wantComments := comments
		for _, parts := range [][][]byte{byByte(body), randomly(rand.New(rand.NewSource(seed)), body)} {
			comments = nil
			got, _, err := readAll(&pieces{remaining: parts}, o)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("split of %q (-whole +split)\n%s", body, diff)
			}
			if diff := cmp.Diff(wantErr.Error(), err.Error()); diff != "" {
				t.Fatal(diff)
			}
			if over == nil {
				if diff := cmp.Diff(wantComments, comments); diff != "" {
					t.Fatal(diff)
				}
			}
		}
	})
}
