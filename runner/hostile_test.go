package runner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// hostile lists the attacks of the second round, by their numbers (H: high, M: medium, L: low), with the tests that hold each
// as "package: test".
var hostile = []struct{ id, attack, tests string }{
	{"H1", "runs of backslashes against the redactor", "`runner/redact: TestOneMebibyteOfEachEscape` `runner/redact: FuzzRedact`"},
	{"H2", "a server that dies or restarts", "`runner/certify: TestAServerThatIsGoneBreaksNoRule` `runner/cmd/command: TestAServerThatDies`"},
	{"H3", "large requests to the model provider", "`runner/provider: TestRequestsAreBounded` `runner/httpserver: TestBodiesAreBounded`"},
	{"M1", "redirects of the reader of certify", "`runner/target/interop: TestNoRedirect` `runner/target: TestRedirectsAreNotFollowed`"},
	{"M2", "links where a release is written", "`runner/release: TestLinksOfAWorkingCopy`"},
	{"M3", "links and pipes in a working copy", "`runner/cmd/command: TestUntrustedWorkingCopies` `runner/files: TestPipesAndDevices`"},
	{"M4", "devices and large files that a flag names", "`runner/cmd/command: TestFlagsThatNameNoFile` `runner/files: TestSizes`"},
	{"M5", "large and deep YAML", "`runner/files/yaml: TestRefused` `runner/target/config: TestReadIsBounded`"},
	{"M6", "markers in texts of the server's requests", "`runner/provider: TestTimeGrowsWithTheInput`"},
	{"M7", "true reports that verify refuses", "`runner/cmd/lab: TestVerifyAcceptsWhatCertifyWrites`"},
	{"M8", "programs in the config of a repository", "`runner/release: TestARevisionRunsNothing`"},
	{"L1", "large revisions and archives", "`runner/release: TestArchivesAreBounded` `runner/release: FuzzUnpack`"},
	{"L2", "escapes in texts of a working copy", "`runner/cmd/lab: TestTextsOfAWorkingCopyStayText`"},
	{"L3", "HTML in texts of a working copy", "`runner/site: TestTextsAreNoMarkup`"},
	{"L4", "folders that are links, and names of other files", "`runner/site: TestWriteStaysInTheFolder` `runner/site: TestNamesOfASite` `golden: TestWriteAllStaysInTheFolder`"},
	{"L5", "files that a killed run leaves", "`runner/report: TestCreateLeavesNothingOfAnEarlierRun`"},
	{"L6", "reports of an earlier run", "`runner/report: TestCreateLeavesNothingOfAnEarlierRun`"},
	{"L7", "grandchildren that outlive a run", "`runner/launch: TestAGrandchildThatLeavesItsGroup` `runner/launch: TestADeadSuiteLeavesNoSession`"},
	{"L8", "secrets of the environment in a server's output", "`runner/launch: TestSecretsOfTheEnvironment`"},
	{"L9", "encodings of secrets", "`runner/redact: TestEveryEncoding`"},
	{"L10", "idle connections and pages at the provider", "`runner/cmd/command: TestUnusedConnectionsAreClosed` `runner/provider: TestPagesCannotSendRequests` `runner/provider: TestAKeyWhereOthersReach`"},
	{"L11", "bodies and pages at serve", "`runner/httpserver: TestBodiesAreBounded` `runner/httpserver: TestCapacityIsReleased` `runner/cmd/command: TestPagesCannotSpend`"},
	{"L12", "inserts at the front of a list", "`runner/patch: TestLimitsHold` `runner/cmd/lab: TestMemoryOfCommands` `runner/cmd/lab: TestAnyMomentIsOneToEndAt`"},
	{"L13", "an event of a million lines in the playground", "`runner/site: TestPublicBrowserRunsThePlayground`"},
	{"L14", "an endless line on every stream", "`runner/certify: TestFramesOverTheLimitEndTheRun`"},
	{"L15", "answers that Redis never gives", "`reference/store/redis: TestWrongAnswers` `reference/store/redis: TestEvictionIsWarnedOf`"},
	{"L16", "proxies of the environment", "`runner/cmd/lab: TestProxiesOfTheEnvironment`"},
	{"L17", "certificates that nobody trusts", "`runner/launch: TestUntrustedCertificates` `runner/cmd/command: TestUnreachableServers`"},
	{"L18", "a secret of backslashes", "`runner/redact: TestOneMebibyteOfEachEscape`"},
	{"L19", "tokens in the arguments of a process", "`runner/cmd/command: TestArgumentsHoldNoTokens`"},
}

// TestEveryAttackHasItsTests: each number of the second round is listed once, and each test that is named exists.
func TestEveryAttackHasItsTests(t *testing.T) {
	var want, got []string
	for _, kind := range []struct {
		letter string
		n      int
	}{{"H", 3}, {"M", 8}, {"L", 19}} {
		for i := range kind.n {
			want = append(want, fmt.Sprint(kind.letter, i+1))
		}
	}
	sources := moduleSources(t)
	for _, h := range hostile {
		got = append(got, h.id)
		if len(cited.FindAllString(h.tests, -1))*2 != strings.Count(h.tests, "`") || h.tests == "" {
			t.Errorf("%s (%s): the tests can't be read: %s", h.id, h.attack, h.tests)
		}
		for _, missing := range missingTests(h.tests, sources) {
			t.Errorf("%s (%s) names %s, which isn't there", h.id, h.attack, missing)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
