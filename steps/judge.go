package steps

import "github.com/streamcert/streamcert/features"

func judgedSteps(v *Sentences[*World]) {
	Step0(v, features.Then, `^no exchange of this scenario breaks this rule$`, (*World).Judged)
	Both(func(k features.Keyword) { Step0(v, k, `^`+features.Outlasts+`$`, (*World).outlast) })
}

// Judged passes every exchange so far to the judge and reports its first finding on this scenario's requirement.
func (w *World) Judged() error {
	w.Finish()
	occasions := 0
	for _, e := range w.session.Exchanges() {
		findings, seen := w.env.Judge(e.Record())
		for _, f := range findings {
			if f.Requirement == w.requirement {
				return &Failure{Finding: f, Exchange: e}
			}
		}
		occasions += seen[w.requirement]
	}
	w.Saw(occasions)
	return nil
}
