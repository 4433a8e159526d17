package lint

import "github.com/streamcert/streamcert/runner/trace"

// checkReference: every MUST that a verdict can be about leads to a line of the reference that keeps it.
func checkReference(t *tree) {
	if t.book == nil || !t.in.Sources.Known() {
		return
	}
	for _, p := range t.packs {
		if !t.referred(p) {
			continue // one problem for the pack says so
		}
		for _, q := range t.book.Pack(p.Name) {
			if q.Level.Mandatory() && q.Testable() && len(t.code.Reference(q.ID)) == 0 {
				t.report("reference-line", "spec/"+q.File, q.Line,
					"%s: no line of %s/ names it; comment the line that keeps it", q.ID, trace.ReferenceFolder)
			}
		}
	}
}

// checkJudge: every requirement that a judge lists leads to a line of the judge that checks it.
func checkJudge(t *tree) {
	if !t.in.Sources.Known() {
		return
	}
	for _, p := range t.packs {
		for _, id := range p.Judged {
			if len(t.code.Judge(id)) == 0 {
				folder := trace.JudgeFolder + "/" + p.Name
				t.report("judge-line", folder, 0, "%s: no line of %s/ names it; name it at the check", id, folder)
			}
		}
	}
}

// mentioned: every id in a comment of the code is that of a requirement.
func mentioned(t *tree) {
	if t.book == nil {
		return
	}
	for _, m := range t.code.Mentions {
		switch q, known := t.requirement(m.ID); {
		case !known:
			t.report("comment-id", m.File, m.Line, "the comment names %s, which is no requirement", m.ID)
		case q.Withdrawn != "":
			t.report("comment-id", m.File, m.Line, "the comment names %s, which is withdrawn", m.ID)
		}
	}
}
