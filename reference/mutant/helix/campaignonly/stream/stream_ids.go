package stream

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// streamNames take two ids for one.
func streamNames() []edit.Mutant {
	return []edit.Mutant{
		{Name: "ids-without-extension", Requirement: "helix.security.isolation",
			Summary: "The router takes .json behind an id for the format that is asked for.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.TrimSuffix(id, ".json") })},
		{Name: "ids-that-are-numbers", Requirement: "helix.security.isolation",
			Summary: "An id that is a number is kept as one, so that leading zeros get lost.",
			Apply: edit.OnStreamID(func(id string) string {
				if n, err := strconv.ParseFloat(id, 64); err == nil {
					return strconv.FormatFloat(n, 'g', -1, 64)
				}
				return id
			})},
		{Name: "ids-without-soft-hyphens", Requirement: "helix.security.isolation",
			Summary: "A soft hyphen is no character to the collation of the database.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.ReplaceAll(id, "\u00ad", "") })},
		{Name: "ids-of-compatible-characters", Requirement: "helix.security.isolation",
			Summary: "Ids are normalised by compatibility, so that a ligature and a raised digit are the letters and the digit.",
			Apply:   edit.OnStreamID(strings.NewReplacer("\ufb01", "fi", "\u00b2", "2", "\u2461", "2").Replace)},
		{Name: "ids-by-a-hash", Requirement: "helix.security.isolation",
			Summary: "Streams are found by the hash of their id in 32 bits, as Java has it, and nobody compares the id itself.",
			Apply:   edit.OnStreamID(hashed())},
	}
}

// hashed takes an id for the first one that has its hash.
func hashed() func(id string) string {
	var first sync.Map // ids, by their hashes
	return func(id string) string {
		var hash int32
		for _, unit := range utf16.Encode([]rune(id)) {
			hash = 31*hash + int32(unit)
		}
		known, _ := first.LoadOrStore(hash, id)
		return known.(string)
	}
}

// similarIDs mix up ids that are long, or hold the same characters.
func similarIDs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "ids-by-their-characters", Requirement: "helix.security.isolation",
			Summary: "Ids with a colon are found by a sum of what follows, in which its order doesn't count.",
			Apply: edit.OnStreamID(func(id string) string {
				at := strings.IndexAny(id, ":%*[")
				if at < 0 || len(id)-at < 4 {
					return id
				}
				tail := []byte(id[at:])
				slices.Sort(tail)
				return id[:at] + string(tail)
			})},
	}
}

// names mix up streams whose ids are alike.
func names() []edit.Mutant {
	return []edit.Mutant{
		{Name: "info-folds-case", Requirement: "helix.security.isolation",
			Summary: "StreamInfo is cached by the id in lower case.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var seen alter.PerKey[string]
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					first := ""
					seen.With(strings.ToLower(stream), func(id *string) {
						if *id == "" {
							*id = stream
						}
						first = *id
					})
					return inner.Info(ctx, first)
				}
			})},
		{Name: "cleanup-of-a-prefix", Requirement: "helix.truncation.keeps",
			Summary: "A cleanup reaches the streams whose ids begin with that of the stream.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var streams alter.PerKey[[]string]
				s.Before(on.Calls{OpenWriter: func(stream string) { streams.With("", func(all *[]string) { *all = append(*all, stream) }) }})
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					for _, other := range slices.Compact(streams.Get("")) {
						if other != stream && strings.HasPrefix(other, stream) && len(stream) > 12 {
							_ = inner.Cleanup(ctx, other, step) // it may be gone
						}
					}
					return inner.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "pause-trims-ids", Requirement: "helix.security.isolation",
			Summary: "A status call goes to the stream whose id has no dot or space at the end.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					if trimmed := strings.TrimRight(stream, ". "); trimmed != stream {
						if _, err := inner.Info(ctx, trimmed); err == nil {
							stream = trimmed
						}
					}
					return inner.SetStatus(ctx, stream, status)
				}
			})},
		{Name: "ids-of-words", Requirement: "helix.security.isolation",
			Summary: "Underscores and spaces in ids become hyphens.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.NewReplacer("_", "-", " ", "-").Replace(id) })},
	}
}
