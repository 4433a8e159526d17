package helix

import (
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// models are other ways to report a model's output.
func models() []Variant {
	return []Variant{
		{Name: "text-in-one-delta", Freedom: "a model's text",
			Summary: "All that a model says at once is one delta.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Pieces = func(text string) []string { return present(text) }
			})},
		{Name: "text-by-character", Freedom: "a model's text",
			Summary: "Each character is a delta.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Pieces = func(text string) []string { return strings.Split(text, "") }
			})},
		{Name: "empty-delta-closes-text", Freedom: "Q-23",
			Summary: "An empty delta says that a text is complete.",
			Warns:   []string{"helix.text.empty-delta"},
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Pieces
				p.Pieces = func(text string) []string { return append(inner(text), "") }
			})},
		{Name: "thought-in-one-chunk", Freedom: "a block of reasoning",
			Summary: "A block of reasoning comes when it is complete.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Increments = func(string) []string { return nil }
			})},
		{Name: "thought-in-one-increment", Freedom: "a block of reasoning",
			Summary: "A block of reasoning comes as one increment and is repeated to complete it.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Increments = present
			})},
		{Name: "thought-completed-by-nothing", Freedom: "helix.thinking.content",
			Summary: "What completes a block of reasoning is empty.",
			Warns:   []string{"helix.thinking.whole-block"},
			Apply:   on.Written(on.Type("thinking"), on.Is("isComplete", true)).Set("content", "")},
		{Name: "unclassified-is-internal", Freedom: "an unclassified error",
			Summary: "An error that nobody has classified has the code framework_internal_error.",
			Apply:   on.Written(on.Type("error"), on.Is("code", nil)).Set("code", "framework_internal_error")},
		{Name: "stop-without-code", Freedom: "helix.errors.stop-reason",
			Summary: "The error that a stop reason means is one of the framework, whatever the reason.",
			Apply: on.Written(on.Type("error"), on.If(func(c runtime.Chunk) bool { return strings.HasPrefix(on.Text(c, "error"), "the model ") })).
				Set("code", "framework_internal_error")},
	}
}

// present returns a text as the only piece of itself, and no piece if it is empty.
func present(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
