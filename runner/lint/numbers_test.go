package lint

import "testing"

func TestNumbers(t *testing.T) {
	const (
		sentence = "> A server MUST send the word."
		reader   = "> A reader MUST listen."
	)
	both := func(said, played, declared string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, sentence, "> A server MUST send the word within "+said+".")
			k.replace(t, echoes, `When somebody calls a word chunk of "<word>"`, `When somebody calls a word chunk of "<word> for `+played+`"`)
			k.replace(t, echo, reader, "> A reader MUST listen for "+declared+".")
			k.files["schemas/config.json"] = `{"$id": "https://streamcert.github.io/streamcert/schemas/config.json", "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "C",
				"description": "Listening takes 15s by default.", "type": "object", "examples": [{}], "x-invalid": [{"name": "a number", "value": 1}]}`
		}
	}
	runAll(t, []red{
		{"the same everywhere", both("2 s", "2s", "15 s"), nil},
		{"another sentence", both("3 s", "2 s", "15 s"), []string{
			echoes + `:9: the scenario "Calling <word>" says 2 s, and toy.echo.same says 3 s`,
			echo + ":5: toy.echo.same says 3 s, and no scenario or schema of it does",
		}},
		{"another unit", both("2 s", "2 ms", "15 s"), []string{
			echoes + `:9: the scenario "Calling <word>" says 2 ms, and toy.echo.same says 2 s`,
			echo + ":5: toy.echo.same says 2 s, and no scenario or schema of it does",
		}},
		{"a schema in place of a scenario", func(t *testing.T, k *kit) {
			k.replace(t, echo, sentence, "> A server MUST send the word of at most 2^53 - 1.")
			k.replace(t, word, `"title": "T"`, `"title": "9007199254740991"`)
		}, nil},
		{"another schema", func(t *testing.T, k *kit) {
			k.replace(t, echo, sentence, "> A server MUST send the word of at most 2^53 - 1.")
			k.replace(t, word, `"title": "T"`, `"title": "9007199254740992"`)
		}, []string{echo + ":5: toy.echo.same says 2^53 - 1, and no scenario or schema of it does"}},
		{"another config", both("2 s", "2 s", "20 s"), []string{
			echo + ":26: toy.echo.heard says 20 s, and schemas/config.json doesn't"}},
	})
}
