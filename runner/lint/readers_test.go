package lint

import "testing"

func TestReaders(t *testing.T) {
	const shown = "```\ndata: {\"type\": \"sound\", \"word\": {\"type\": \"word\"}}\n```"
	runAll(t, []red{
		{"no bytes", edit(echo, shown, "A sound."), []string{
			echo + ":26: toy.echo.heard shows no bytes: expected a fenced block with what a reader is given"}},
		{"a frame that no server may send", edit(echo, `{"type": "word"}`, `7`), []string{
			echo + ":26: toy.echo.heard shows a frame that no server may send: `word` must be an object, got 7"}},
		{"no JSON, on purpose", edit(echo, `{"type": "word"}}`, `{"type": "wo`), nil},
		{"a type that nobody knows, on purpose", edit(echo, `"type": "sound"`, `"type": "smell"`), nil},
	})
}
