package helixui

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/features"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func metadataSteps(v *steps.Sentences[*world]) {
	steps.Doc2(v, features.When, `^a request with the start metadata (.+), and this script:$`, func(w *world, metadata, script string) error {
		return w.request(script, client.Request{StartMetadata: json.RawMessage(metadata)})
	})
	steps.Doc2(v, features.When, `^a request with the finish metadata (.+), and this script:$`, func(w *world, metadata, script string) error {
		return w.request(script, client.Request{FinishMetadata: json.RawMessage(metadata)})
	})
	steps.Step2(v, features.Then, `^the (start|finish) of the response has the metadata (.+)$`, func(w *world, kind, metadata string) error {
		return onTurn(func(t *turn) error { return described(t, w.chat, kind, metadata) })(w)
	})
	steps.Step0(v, features.Then, `^no part of the response has metadata$`, onTurn(undescribed))
}

// described compares the metadata of a part. {agentId} is replaced by the id of the agent, which is that of the chat.
func described(t *turn, chat, kind, metadata string) error {
	want, err := steps.Decode([]byte(strings.ReplaceAll(metadata, "{agentId}", chat)))
	if err != nil {
		return steps.Faultf("%s is not JSON", metadata)
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	p := t.find(kind)
	if p == nil {
		return t.failure("a part "+kind, "parts of the types "+t.kinds(), nil)
	}
	if got := p.value["messageMetadata"]; !steps.Same(want, got) {
		return t.failure("the messageMetadata "+metadata, steps.Clip(p.frame.Data), p)
	}
	t.w.Saw(1)
	return nil
}

// undescribed rejects metadata where none is configured.
func undescribed(t *turn) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	for _, p := range t.parts {
		// A message-metadata is a part of the application's own.
		if _, there := p.value["messageMetadata"]; there && (p.kind == "start" || p.kind == "finish") {
			return t.failure("no messageMetadata", steps.Clip(p.frame.Data), p)
		}
	}
	t.w.Saw(1)
	return nil
}

func describings() []steps.Fixture {
	with := func(kind, metadata string) string {
		return "a request with the " + kind + " metadata " + metadata + ", and this script:\n" + `[{"text": "Hello."}]`
	}
	return []steps.Fixture{
		{Then: `the start of the response has the metadata {"a": 1}`, Setup: setup(with("start", `{"a": 1}`)), Mutant: "starts-without-metadata", Message: `"type":"start"`},
		{Then: "no part of the response has metadata", Setup: setup(scripted(`[{"text": "Hello."}]`)), Mutant: "empty-metadata", Message: "messageMetadata"},
	}
}
