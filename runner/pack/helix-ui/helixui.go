package helixui

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/helix-ui"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/runner/wire"
	steps "github.com/streamcert/streamcert/steps/helix-ui"
)

// Pack describes the protocol to the kit.
func Pack() pack.Pack {
	return pack.Pack{
		Name:    "helix-ui",
		Machine: judged.New, Answer: judged.JudgeAnswer, Judged: judged.Requirements,
		Vocabulary: steps.Vocabulary, Fixtures: steps.Fixtures,
		Preflight: preflight, Routes: routes, Config: client.Section(), Scripted: performed,
		ByModel: byModel, NeedsScript: needsScript, Unplayed: "metadata, calls side by side, chunks of helix and parts of the application's own",
		Model:    pack.Model{Chapters: model.Chapters(), Checked: model.Covered(), Unheld: model.Unheld()},
		Stream:   pack.Stream{Recognise: recognise, Terminal: terminal, Begins: judged.Begins},
		Registry: crosscheck.Rules{Isolation: "helix-ui.security.isolation"},
		Golden:   freedoms(),
		Shape: &pack.Shape{
			Send: func(_ string, _ any, data []byte) ([]byte, record.End) {
				return []byte("data: " + string(data) + "\n\n"), record.ClientClose
			},
			NewKind: func(pointer []string) bool { return false },
		},
	}
}

// freedoms lists the parts of a transcript in which servers of the pack may differ.
func freedoms() golden.Freedoms {
	return golden.Freedoms{
		Headers: []string{
			"accept-encoding", "cache-control", "content-type", "last-event-id", "www-authenticate", "x-vercel-ai-ui-message-stream",
		},
		IDs: map[string]string{"messageId": "messageId", "id": "partId", "toolCallId": "toolCallId", "approvalId": "approvalId"},
	}
}

// kindOf returns the type of the part in some data, "" if it is none.
func kindOf(data []byte) string {
	var p struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(data, &p) // invalid data has no members
	return p.Type
}

// recognise knows a stream by the parts that no other protocol has.
func recognise(f *wire.Frame) (judge.Profile, bool) {
	kind := kindOf(f.Data)
	return judge.Enveloped, kind == "start-step" || strings.HasPrefix(kind, "text-") || strings.HasPrefix(kind, "reasoning-") || strings.HasPrefix(kind, "tool-input-")
}

// terminal is the end of the stream.
func terminal(_ judge.Profile, f *wire.Frame) bool {
	return string(bytes.TrimSpace(f.Data)) == "[DONE]"
}

// byModel reports whether a model does everything that a row has the agent do.
func byModel(t *target.Target, _ string, row features.Row) bool {
	scripts := 0
	for _, step := range row.Steps {
		switch {
		case strings.HasPrefix(step.Text, "histories of ") && !t.Scripts():
			scripts++
		case !strings.Contains(step.Text, "script"):
		case strings.Contains(step.Text, "without the control token"), !client.Modelled(t, step.Content):
			return false
		default:
			scripts++
		}
	}
	return scripts > 0
}

// performed matches the steps that have the agent do something.
var performed = pack.StepMatches(`script|histor(y|ies) .*played`)

// needsScript reports whether a row has the agent do something.
func needsScript(row features.Row) bool {
	return slices.ContainsFunc(row.Steps, func(step features.Step) bool { return performed(step.Text) })
}
