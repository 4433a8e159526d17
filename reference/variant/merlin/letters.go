package merlin

import (
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/variant"
	"github.com/streamcert/streamcert/reference/variant/merlin/letter"
)

// letters returns servers whose code is written after the source's, not the reference's.
func letters() []Variant {
	serves := func(ways letter.Ways) func(merlin.Options) variant.Server {
		return func(o merlin.Options) variant.Server { return letter.New(o, ways) }
	}
	warns := []string{
		"merlin.chunks.no-v1-events", "merlin.chunks.suppressed-reasoning", "merlin.citations.each", "merlin.citations.flushed", "merlin.progress.rename",
		"merlin.slices.whole-characters", "merlin.subagents.reasoning", "merlin.tools.every",
	}
	return []Variant{
		{Name: "letter-of-the-source", Freedom: "the letter of the source", Warns: warns, Serve: serves(letter.Ways{}), Summary: "Everything is as the code of the source has it."},
		{Name: "letter-and-examples", Freedom: "the letter of the source", Warns: append(warns[:len(warns):len(warns)], "merlin.chunks.content"), Serve: serves(letter.Ways{Example: true}), Summary: "The code of the source, with texts and an end as its examples of bytes have them."},
		{Name: "letter-and-types", Freedom: "the letter of the source", Warns: warns, Serve: serves(letter.Ways{Typed: true}), Summary: "The code of the source, with messages of the further types that it names."},
		{Name: "letter-otherwise", Freedom: "the letter of the source", Warns: warns, Serve: serves(letter.Ways{Other: true}), Summary: "The code of the source, which does the other thing wherever the spec leaves two."},
		{Name: "letter-that-rises", Freedom: "the letter of the source", Warns: append(warns[:len(warns):len(warns)], "merlin.index.block"), Serve: serves(letter.Ways{Rises: true}), Summary: "The code of the source, called with a higher index behind each result."},
	}
}
