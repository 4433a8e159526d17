package campaign

import "strings"

// Scenario returns a history that breaks a requirement as a scenario that can be pasted into a pack's features and played
// again by a step.
func Scenario(requirement, step, history string) string {
	lines := []string{"Scenario: A history that breaks " + requirement, "  When " + step, `    """`}
	for line := range strings.SplitSeq(history, "\n") {
		lines = append(lines, "    "+line)
	}
	return strings.Join(append(lines, `    """`, "  Then nothing was received that the spec rules out"), "\n")
}
