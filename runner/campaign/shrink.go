package campaign

// FailsAgain returns the test of a program that is shrunk: whether it breaks the same requirement, which again plays. The
// failure is replaced by each that it finds.
func FailsAgain[P any](f **Failure[P], again func(P) *Failure[P]) func(P) bool {
	return func(shorter P) bool {
		g := again(shorter)
		if g == nil || g.Requirement != (*f).Requirement {
			return false
		}
		*f = g
		return true
	}
}
