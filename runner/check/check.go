package check

import (
	"context"
	"io"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/recording"
)

// Rules returns the rules of a loaded pack for recordings.
func Rules(s *pack.Suite) recording.Rules {
	return recording.Rules{Pack: s.Pack.Name, Book: s.Book, Schemas: s.Schemas,
		Judge: judge.Protocol{Name: s.Pack.Name, Machine: s.Pack.Machine, Recogniser: s.Pack.Stream.Recogniser, Begins: s.Pack.Stream.Begins}}
}

// Run judges a recording by a loaded pack; see recording.Run.
func Run(ctx context.Context, s *pack.Suite, r io.Reader, o recording.Options) (recording.Checked, error) {
	return recording.Run(ctx, Rules(s), r, o)
}

// All returns the rules of several packs.
func All(suites []*pack.Suite) []recording.Rules {
	var all []recording.Rules
	for _, s := range suites {
		all = append(all, Rules(s))
	}
	return all
}

// Recognise returns the pack of a recording and a reader of all of it; see recording.Recognise.
func Recognise(suites []*pack.Suite, r io.Reader) (*pack.Suite, io.Reader) {
	found, in := recording.Recognise(All(suites), r)
	for _, s := range suites {
		if s.Pack.Name == found.Pack {
			return s, in
		}
	}
	return suites[0], in
}
