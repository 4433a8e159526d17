package helix

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

// sentence is the text that the preflight's script makes the model emit.
const sentence = "streamcert preflight"

// tryModel starts a run whose model outputs one sentence, and searches it on the stream.
func tryModel(ctx context.Context, t *target.Target) error {
	session := t.Session(ctx)
	defer session.Close()
	stream := session.NewStream()
	started, err := client.StartRun(session, client.Run{Stream: stream, Script: []json.RawMessage{[]byte(`[{"text":"` + sentence + `"}]`)}})
	if err != nil {
		return fmt.Errorf("preflight: starting a run: %w", err)
	}
	if v := started.Call.Now(); v.Status/100 != 2 {
		return fmt.Errorf("preflight: starting a run: %s %s%s answered %d, expected 2xx; %s", started.Call.Method, t.URL(), started.Call.Path, v.Status, pack.Hint(t, v, "model.start.path"))
	}
	reader, err := client.Attach(session, target.ReadRequest{Stream: stream, Hidden: true})
	if err != nil {
		return err
	}
	_, err = reader.Wait("what the model says", func(v record.Response) bool { return v.Status >= 300 || v.End != record.Open || containsSentence(v) })
	v := reader.Now()
	if containsSentence(v) {
		return nil
	}
	if no := pack.NoStream(t, "preflight: GET "+t.URL()+reader.Path, v, "read", ""); no != nil && v.Status != 0 {
		return no
	}
	if err == nil {
		err = fmt.Errorf("it answered %d and %d events", v.Status, len(v.Frames))
	}
	return fmt.Errorf("preflight: GET %s%s doesn't contain what the model says: %w; %s", t.URL(), reader.Path, err, pack.Silence(t))
}

// containsSentence reports whether the texts of a response contain the sentence.
func containsSentence(v record.Response) bool {
	var text strings.Builder
	for _, f := range v.Frames {
		event, _ := frame.Decode(f.Data)
		text.WriteString(event.Text("delta"))
	}
	return strings.Contains(text.String(), sentence)
}

// steered matches the sentences that need the control binding, other than those that write to a stream themselves.
var steered = pack.StepMatches(`\bbarrier\b|interrupted|resumed with|crashes|recovers|takes the run over|retried|retry|waiting call|rolled back|branched|` +
	`resumed from|asked for$|a second run|cleaned up|\bcleanup\b|\breset\b|writers?\b|[Aa] stream (that|to)|is deleted|histories|history|made (paused|active)|stream (ends|fails|begins)`)

// byModel reports whether a model can perform everything that a row makes an agent do, and the row otherwise uses only
// requests of readers.
func byModel(t *target.Target, requirement string, row features.Row) bool {
	runs := 0
	for _, step := range row.Steps {
		switch {
		case step.Content != "" && strings.HasPrefix(step.Text, "a run of this script"):
			if !client.Modelled(t, requirement, step.Content) {
				return false
			}
			runs++
		case strings.HasPrefix(step.Text, "a run "), steered(step.Text):
			return false
		}
	}
	return runs == 1
}
