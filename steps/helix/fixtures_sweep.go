package helix

import "github.com/streamcert/streamcert/steps"

func sweeping() []steps.Fixture {
	const unchanged = "the cuts change nothing of what an uninterrupted read brings"
	ended := func(cuts string) []string {
		return setup("a stream that holds events 1 to 4", "the stream has ended", cuts)
	}
	return []steps.Fixture{
		{Then: unchanged, Setup: ended("4 clients are cut where the seed says, once or again and again"),
			Mutant: "twice-cut-event-is-skipped", Message: "and resumed"},
		{Then: unchanged, Setup: ended("a client is cut at every byte"), Mutant: "resume-skips-one", Message: "got event"},
		{Then: unchanged, Setup: ended("a client is cut inside every character and behind every line"),
			Mutant: "second-resume-skips", Message: "and resumed"},
		{Then: unchanged, Setup: setup("a new stream", `writer "A" is opened`, `writer "B" is opened`,
			`a client is cut again and again while writers "A" and "B" write 16 events each`, "the stream ends"),
			Mutant: "wrong-across-9-10", Message: "while two writers wrote"},
	}
}
