package lint

import "testing"

func TestWire(t *testing.T) {
	chapter := func(shown string) func(*testing.T, *kit) {
		return edit(echo, shownCall, shown)
	}
	runAll(t, []red{
		{"an exchange", chapter(shownCall), nil},
		{"none", chapter(""), []string{echo + ": the chapter echo shows no exchange: expected a piece of one of its goldens"}},
		{"one that differs", chapter("<!-- wire: golden/toy/echo/calling.txt § Calling a -->\n```http\n> GET /\n```\n<!-- /wire -->\n"), []string{
			echo + ":39: the block differs from the golden: run `make golden`"}},
		{"one of no golden", chapter("<!-- wire: golden/toy/echo/lost.txt § Calling a -->\n<!-- /wire -->\n"), []string{
			echo + ":39: reading golden toy/echo/lost.txt: open toy/echo/lost.txt: file does not exist"}},
		{"one of no scenario", chapter("<!-- wire: golden/toy/echo/calling.txt § Calling c -->\n<!-- /wire -->\n"), []string{
			echo + `:39: golden/toy/echo/calling.txt has no transcript "Calling c"`}},
		{"a chapter whose scenarios have no golden", func(t *testing.T, k *kit) {
			chapter("")(t, k)
			k.replace(t, echoes, "    Scenario Outline:", "    @no-transcript:nobody-writes\n    Scenario Outline:")
			delete(k.files, calling)
			k.files["golden/FORMAT.md"] = "words"
		}, nil},
	})
}
