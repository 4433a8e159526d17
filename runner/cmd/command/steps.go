package command

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/vocabulary"
)

func newSteps(a *App) *cobra.Command {
	var protocol, format string
	cmd := &cobra.Command{
		Use:   "steps",
		Short: "List the sentences that feature files may use",
		Long: "List the sentences that the feature files of a pack may use: the keyword, the arguments and what each takes, and a\n" +
			"step that uses the sentence. [x] may be left out, and (x|y) is a choice.\n\n" +
			"--format js writes step definitions that do nothing, for the Gherkin extensions of editors:\n\n" +
			"  streamcert steps --pack PROTOCOL --format js > steps.js\n\n" +
			"Name the file in the settings of the extension, for VS Code:\n\n" +
			"  Cucumber (official)      \"cucumber.glue\": [\"steps.js\"]\n" +
			"  Cucumber Full Support    \"cucumberautocomplete.steps\": [\"steps.js\"]",
		Args: Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains([]string{"console", "json", "js"}, format) {
				return Usage("--format %q: expected console, json or js", format)
			}
			return a.steps(protocol, format)
		},
	}
	PackFlag(cmd, &protocol)
	cmd.Flags().StringVar(&format, "format", "console", "console, json for one document a pack, or js for editors")
	return cmd
}

// steps writes the sentences of packs. The file for editors contains a common sentence of all packs once.
func (a *App) steps(protocol, format string) error {
	suites, err := a.Suites(protocol)
	if err != nil {
		return err
	}
	var all []vocabulary.Sentence
	for _, suite := range suites {
		sentences := vocabulary.Of(suite.Vocabulary.Definitions(), suite.Scenarios)
		switch format {
		case "json":
			e := json.NewEncoder(report.JSONWriter(a.out))
			e.SetEscapeHTML(false)
			if err := e.Encode(map[string]any{"pack": suite.Pack.Name, "sentences": sentences}); err != nil {
				return fmt.Errorf("writing the sentences: %w", err)
			}
		case "console":
			if _, err := fmt.Fprintf(a.out, "# %s: %d sentences\n", suite.Pack.Name, len(sentences)); err != nil {
				return fmt.Errorf("writing the sentences: %w", err)
			}
			if err := vocabulary.Write(a.out, sentences); err != nil {
				return err
			}
		}
		for _, s := range sentences {
			if !slices.ContainsFunc(all, func(other vocabulary.Sentence) bool { return other.Pattern == s.Pattern }) {
				all = append(all, s)
			}
		}
	}
	if format == "js" {
		return vocabulary.Script(a.out, all)
	}
	return nil
}
