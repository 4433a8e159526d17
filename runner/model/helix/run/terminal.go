package run

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Finished judges the terminal frame, nil if none came: helix.output.ends. How the stream of a run finishes otherwise is
// recommended only.
func (r *Run) Finished(terminal *stream.Frame) error {
	var t frame.Content
	if terminal != nil {
		var err error
		if t, err = frame.Decode(terminal.Data); err != nil {
			return nil // the judge looks at every frame
		}
		if !r.Over() {
			return r.early(t.Type)
		}
	}
	r.occasions.Saw(r.progress.survived()...)
	switch {
	case r.Status() == Failed:
		return r.progress.checkFailure(t, r.childCodes, r.occasions)
	case r.Status() != Completed:
		return nil
	case r.progress.output == nil:
		return r.progress.checkNoOutput(t)
	case t.Type != "end":
		return model.Violated("helix.output.ends", "an end frame", t.Type, "a run that sent its output finished otherwise")
	}
	r.occasions.Saw("helix.output.ends")
	if t.FinalOutput == nil {
		return nil
	}
	if got, err := decodedJSON(t.FinalOutput); err != nil || !document.Equal(*r.progress.output, got) {
		return model.Unequal("helix.output.final-output", *r.progress.output, t.FinalOutput, "the end frame has another output")
	}
	r.occasions.Saw("helix.output.final-output")
	return nil
}

func decodedJSON(text []byte) (v any, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
}

// early judges a terminal frame that came before the run was over. Where nothing has failed, that is recommended against.
func (r *Run) early(kind string) error {
	all := r.progress.survived()
	if r.expected.superseded && kind == "fail" {
		all = append(all, "helix.runs.superseded-graceful")
	}
	if len(all) == 0 {
		return nil
	}
	return model.Violated(all[len(all)-1], "no terminal frame", kind, "the stream of a run was finished that goes on")
}

// checkNoOutput judges the terminal frame of a run whose root agent returned no output. Its output may be the agent's text,
// which some servers take for one: helix.output.final-output.
func (p *progress) checkNoOutput(t frame.Content) error {
	if t.Type != "end" || t.FinalOutput == nil {
		return nil
	}
	got, err := decodedJSON(t.FinalOutput)
	text, isText := got.(string)
	if err == nil && (got == nil || isText && strings.Contains(textOf(p.script), strings.TrimSpace(text))) {
		return nil
	}
	return model.Violated("helix.output.final-output", "no output", model.Clipped(t.FinalOutput), "the end frame has an output, and the root agent returned none")
}

// textOf joins every text of a script, that of branches one after the other.
func textOf(lists [][]*scriptStep) (text string) {
	for _, list := range lists {
		for _, a := range list {
			switch a.kind {
			case "text":
				text += a.text
			case "parallel":
				text += textOf(a.branches)
			}
		}
	}
	return text
}

// codesOf returns the codes of the errors of sub-agents.
func codesOf(all []*stream.Produced, roots map[string]bool) map[string]bool {
	codes := map[string]bool{}
	for _, p := range all {
		if p.Kind() == "error" && !roots[p.Text("agentId")] {
			codes[p.Text("code")] = true
		}
	}
	return codes
}

// checkFailure compares the code of a fail frame with that of the failure, for which some servers send none or that of a
// sub-agent's error: helix.errors.fail-code.
func (p *progress) checkFailure(t frame.Content, childCodes map[string]bool, occasions model.OccasionCounts) error {
	f := p.stopState.fatal
	code, _ := frame.Text(t.Code)
	if t.Type != "fail" || code == "" || f == nil || f.code == "" {
		return nil
	}
	if f.orNone && (code == f.code || !childCodes[code]) {
		return nil
	}
	if code != f.code {
		return model.Violated("helix.errors.fail-code", f.code, code, "the fail frame has another code than the error that the run failed with")
	}
	occasions.Saw("helix.errors.fail-code")
	return nil
}
