package helix

import "github.com/streamcert/streamcert/steps"

// races lists self-tests with concurrent writes to several replicas.
func races() []steps.Fixture {
	return []steps.Fixture{
		{Then: "there is an order of these calls in which each was answered as it was",
			Setup:  setup("a stream that holds event 1", "6 writers race to write 20 events each on 2 replicas"),
			Mutant: "replica-writes-behind", Message: "no such order"},
	}
}
