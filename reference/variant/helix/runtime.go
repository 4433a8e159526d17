package helix

import (
	"context"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// writing changes what is written to one stream at once.
type writing = func([]runtime.Chunk) []runtime.Chunk

// onWriting changes what runs write. The function is called once for each stream.
func onWriting(begin func() writing) apply {
	return on.OnAppended(func(*on.Producer) func([]runtime.Chunk) []runtime.Chunk { return begin() })
}

// inPlaceOf changes the chunks that runs write: the function maps each to none, one or several.
func inPlaceOf(change func(c runtime.Chunk) []runtime.Chunk) apply {
	return on.OnJournal(func(_ runtime.Journal, j *on.Journal) {
		replaceChunks(j, func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk { return change(c) })
	})
}

// replaceChunks maps each chunk to none, one or several. The sequence of a chunk is that of the last one that stands for it
// or comes before.
func replaceChunks(j *on.Journal, change func(w runtime.Writer, c runtime.Chunk) []runtime.Chunk) {
	j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
		var changed []runtime.Chunk
		ends := make([]int, 0, len(chunks))
		for _, c := range chunks {
			changed = append(changed, change(w, c)...)
			ends = append(ends, len(changed))
		}
		if len(changed) == 0 {
			return nil, nil
		}
		written, err := j.Journal.Append(ctx, w, changed)
		if err != nil {
			return nil, err
		}
		sequences := make([]int64, 0, len(chunks))
		for _, end := range ends {
			sequences = append(sequences, written[max(0, end-1)])
		}
		return sequences, nil
	}
}
