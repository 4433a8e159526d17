package campaignonly

import (
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// colours are the sequences by which terminals show colours.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// treated are mutants that treat texts as a formatter or a sanitizer does.
func treated() []edit.Mutant {
	return []edit.Mutant{
		{Name: "percent-signs-are-halved", Requirement: "aep.content.text",
			Summary: "A piece of an answer is a format, in which two percent signs are one.", Apply: swaps(agent.Text, "%%", "%")},
		{Name: "dollar-signs-in-what-is-kept", Requirement: "aep.threads.history",
			Summary: "What was said is put into a template by a replacement, in which two dollar signs are one.",
			Apply: on.Storing(func(_ string, emitted []agent.Message) []agent.Message {
				for i := range emitted {
					emitted[i].Text = strings.ReplaceAll(emitted[i].Text, "$$", "$")
				}
				return emitted
			})},
		{Name: "colours-are-taken-out", Requirement: "aep.content.text",
			Summary: "The colours of a terminal are taken out of answers.",
			Apply:   on.Pieces(agent.Text, func(piece string) string { return colours.ReplaceAllString(piece, "") })},
		{Name: "unseen-characters-of-the-user", Requirement: "aep.request.text-blocks",
			Summary: "Characters that nobody sees are taken out of what the user says, lest they steer the agent.",
			Apply: on.UserTexts(func(text string) string {
				return strings.NewReplacer("\u00ad", "", "\u2060", "", "\ufe0f", "", "\U000e0041", "").Replace(text)
			})},
		{Name: "replacement-characters-are-waited-out", Requirement: "aep.content.text",
			Summary: "A replacement character is taken for half of one that is still to come.", Apply: swaps(agent.Text, "\ufffd", "")},
		{Name: "names-of-tools-are-folded", Requirement: "aep.tools.call",
			Summary: "Names of tools are sent in the form in which identifiers are compared.",
			Apply: on.Deltas(on.Does(agent.Call)).Edit(func(d *agent.Delta) {
				d.Tool = strings.NewReplacer("ﬁ", "fi", "²", "2", "\u00ad", "").Replace(d.Tool)
			})},
	}
}
