package lint

import "testing"

func TestSamples(t *testing.T) {
	const config, readme = "reference/tin/streamcert.yaml", "reference/tin/README.md"
	runAll(t, []red{
		{"capability that isn't there", edit(config, "- loud", "- lout"), []string{
			config + ":4: without names lout, which is no capability of a pack that packs names"}},
		{"pack that isn't there", edit(config, "[toy]", "[toy, tin]"), []string{
			config + ":2: packs names tin, which isn't in the list of packs"}},
		{"no YAML", edit(config, "[toy]", "[toy"), []string{
			config + ":3: the file is not YAML: ',' or ']' must be specified"}},
		{"chunk type that no source names", edit("reference/tin/echo.mjs", "word", "sword"), []string{
			"reference/tin: no source names the chunk type word of toy: check its members, or refuse it by name"}},
		{"event that no source names, of a pack without chunks", func(t *testing.T, k *kit) {
			k.replace(t, "schemas/toy/pack.json", `, "nested": {"frame": "sound", "member": "word"}`, "")
			k.replace(t, "schemas/toy/pack.json", `, "chunk": "chunks/word.json"`, "")
			k.replace(t, "schemas/toy/pack.json", `, "chunk": {}`, "")
			k.replace(t, "spec/toy/1-echo.md", "chunks/word.json", "frames/sound.json")
			delete(k.files, "schemas/toy/chunks/word.json")
		}, []string{
			"reference/tin: no source names the event sound of toy: send it, or say why it is never sent"}},
		{"member of a call that no source names", edit("reference/tin/echo.mjs", "volume }) => volume", "loudness }) => 11"), []string{
			"reference/tin: no source names the member volume of schemas/toy/control/shout.json, and there is a route /shout"}},
		{"file that isn't there", edit(readme, "echo.mjs", "echoes.mjs"), []string{readme + ":1: link to echoes.mjs, which does not exist"}},
		{"no README", remove(readme), []string{"reference/tin: there is no README.md that says what the sample does"}},
	})
}
