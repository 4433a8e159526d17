package certify_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeSaysHowManyRequestsARunSends: within a tenth, which is what a change of the scenarios may move.
func TestReadmeSaysHowManyRequestsARunSends(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts, and needs no race detector")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range []string{"helix", "aep"} {
		said := regexp.MustCompile(`about ([\d,]+)(?: requests)? for ` + pack).FindStringSubmatch(string(text))
		if said == nil {
			t.Fatalf("the README doesn't say how many requests a run of %s sends", pack)
		}
		want, err := strconv.Atoi(strings.ReplaceAll(said[1], ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		if sent := wholeRun(t, pack).Report.Summary.Requests; sent < want*9/10 || sent > want*11/10 {
			t.Errorf("a run of %s sends %d requests, the README says %d", pack, sent, want)
		}
	}
}
