package aep

import "github.com/streamcert/streamcert/steps"

func playedHistories() []steps.Fixture {
	const history = "this history is played\n1 thread\na request of 1 message with plain data of 1 bytes: repeats history\n" +
		"a request of 1 message with plain data of 2 bytes: repeats history\na request of 1 message with plain data of 3 bytes: repeats history"
	return []steps.Fixture{
		{Then: "nothing was received that the spec rules out", Setup: setup(history), Mutant: "remembers-last-message", Message: "history"},
	}
}
