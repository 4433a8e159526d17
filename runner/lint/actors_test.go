package lint

import "testing"

func TestActors(t *testing.T) {
	sentences := func(same, heard string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, "A server MUST send the word.", same)
			k.replace(t, echo, "A reader MUST listen.", heard)
		}
	}
	const (
		said  = "A server MUST send the word."
		heard = "A reader MUST listen."
		wrong = echo + `:5: toy.echo.same doesn't say whom it binds: expected the subject "A server" before MUST`
	)
	runAll(t, []red{
		{"an actor", sentences(said, heard), nil},
		{"after a condition", sentences("When a reader calls `a, b`, the server MUST send the word.", heard), nil},
		{"which of them", sentences("A server that hears a word MUST send it.", heard), nil},
		{"with an aside", sentences("Called twice, every server, however far, MUST send it.", heard), nil},
		{"no actor", sentences("An echo MUST be the word.", heard), []string{wrong}},
		{"an actor that isn't the subject", sentences("Every echo that a server sends MUST be the word.", heard), []string{wrong}},
		{"an actor of a condition", sentences("When a server is far, its echo MUST be the word.", heard), []string{wrong}},
		{"the subject is another's", sentences("The server chunk MUST be the word.", heard), []string{wrong}},
		{"passive", sentences("The word MUST be sent by a server.", heard), []string{wrong}},
		{"an actor of another role", sentences("A reader MUST hear the word.", heard), []string{wrong}},
		{"a word that the table lacks", sentences("A runtime MUST send the word.", heard), []string{wrong}},
		{"a reader's rule", sentences(said, "A server MUST be audible."), []string{
			echo + `:26: toy.echo.heard doesn't say whom it binds: expected the subject "A reader" before MUST`}},
		{"a table without a word for a role", func(t *testing.T, k *kit) {
			sentences(said, heard)(t, k)
			k.replace(t, "spec/toy/README.md", "| reader | listens |\n", "")
		}, []string{echo + `:26: toy.echo.heard binds the role reader, which the table of roles of toy has no word for`}},
		{"no table of roles", func(t *testing.T, k *kit) {
			sentences("An echo MUST be the word.", "An echo MUST be audible.")(t, k)
			k.replace(t, "spec/toy/README.md", "# Roles", "# Rolls")
			k.replace(t, echo, shownCall, "")
		}, []string{`spec/toy/README.md: the pack toy has no table of roles: expected one below the heading "Roles"`}},
		{"a role twice", func(t *testing.T, k *kit) {
			sentences(said, heard)(t, k)
			k.replace(t, "spec/toy/README.md", "| reader | listens |\n", "| reader | listens |\n| server | again |\n")
		}, []string{`spec/toy/README.md:15: role "server" is empty or listed twice`}},
	})
}
