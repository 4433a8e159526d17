package helix

import "github.com/streamcert/streamcert/steps"

func playedHistories() []steps.Fixture {
	const allowed = "nothing was received that the spec rules out"
	history := func(lines string) []string { return []string{"this history is played\n" + lines} }
	return []steps.Fixture{
		{Then: allowed, Setup: history("1 stream\nwriter 1 writes 3 chunks of mixed steps, plain data of 20 bytes\nreader 1 attaches\na cleanup to step 0\n" +
			"writer 1 writes 3 chunks of step 1, plain data of 20 bytes\na cleanup to step 0"), Mutant: "second-cleanup-removes-nothing", Message: "chunkCount"},
	}
}
