package helix

import "github.com/streamcert/streamcert/steps"

func sweeping() []steps.Pair {
	const unchanged = "the cuts change nothing of what an uninterrupted read brings"
	ended := func(cuts string) []string {
		return setup("a stream that holds events 1 to 4", "the stream has ended", cuts)
	}
	return []steps.Pair{
		{Then: unchanged, Scene: ended("4 clients are cut where the seed says, once or again and again"),
			Mutant: "twice-cut-event-is-skipped", Says: "and resumed"},
		{Then: unchanged, Scene: ended("a client is cut at every byte"), Mutant: "resume-skips-one", Says: "got event"},
		{Then: unchanged, Scene: ended("a client is cut inside every character and behind every line"),
			Mutant: "second-resume-skips", Says: "and resumed"},
		{Then: unchanged, Scene: setup("a new stream", `writer "A" is opened`, `writer "B" is opened`,
			`a client is cut again and again while writers "A" and "B" write 16 events each`, "the stream ends"),
			Mutant: "wrong-across-9-10", Says: "while two writers wrote"},
	}
}
