package runner

import "github.com/streamcert/streamcert/runner/judge"

// maxFindings is how many findings of one requirement one row of a scenario
// keeps: a server that breaks a rule in every frame, for ever, breaks it once.
const maxFindings = 32

// distinct counts the findings that a row has kept, by requirement and by what
// they say.
type distinct map[[3]string]int

// take reports whether a finding is to be kept. It says nothing new if another
// had the same message and wanted the same.
func (d distinct) take(f judge.Finding) bool {
	all, same := [3]string{f.Requirement}, [3]string{f.Requirement, f.Message + "\n", f.Want}
	if d[same] > 0 || d[all] >= maxFindings {
		return false
	}
	d[same]++
	d[all]++
	return true
}
