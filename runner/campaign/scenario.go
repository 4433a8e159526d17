package campaign

import "strings"

// Scenario is a history that breaks a requirement as a scenario that can be pasted into a pack's features and played again.
func Scenario(requirement, history string) string {
	lines := []string{"Scenario: A history that breaks " + requirement, "  When this history is played", `    """`}
	for line := range strings.SplitSeq(history, "\n") {
		lines = append(lines, "    "+line)
	}
	return strings.Join(append(lines, `    """`, "  Then nothing was received that the spec rules out"), "\n")
}
