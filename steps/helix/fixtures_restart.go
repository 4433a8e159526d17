package helix

import "github.com/streamcert/streamcert/steps"

// restarts lists self-tests in which the server was killed.
func restarts() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the client receives each of the arrays whole and once, or, if it was not answered, not at all",
			Setup: setup("a stream that holds event 1", "the server is killed and started again while 4 writers write arrays of 20 events",
				"the client attaches"),
			Mutant: "array-by-chunk", Message: "want", Kills: true},
		{Then: "the client receives each of the arrays whole and once, or, if it was not answered, not at all",
			Setup: setup("a stream that holds event 1", "the server is killed and started again while 4 writers write arrays of 20 events",
				"the client attaches"),
			Mutant: "answers-before-it-writes", Message: "want", Kills: true},
	}
}
