package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/config"
	"github.com/streamcert/streamcert/schemas"
)

// shortKeys lists the keys of a config for chosen packs, in the order of the file. The sections of the packs follow.
var shortKeys = []string{"packs", "target.url", "launch.command", "launch.env", "routes", "control", "without"}

// selectKeys returns the keys with the given paths, in that order. A path of two names selects one key of a section, and
// a path without a key selects nothing.
func selectKeys(keys []*config.Key, paths []string) []*config.Key {
	var out []*config.Key
	for _, path := range paths {
		name, of, _ := strings.Cut(path, ".")
		key := config.Find(keys, name)
		if key == nil {
			continue
		}
		section := config.Find(out, name)
		if section == nil {
			copied := *key
			section = &copied
			out = append(out, section)
			if of != "" {
				section.Keys = nil
			}
		}
		if inner := config.Find(key.Keys, of); inner != nil {
			section.Keys = append(section.Keys, inner)
		}
	}
	return out
}

// starterFlags adds a flag for each starter of the packs' sections.
func starterFlags(cmd *cobra.Command, sections []target.Section) {
	for _, section := range sections {
		for _, s := range section.Starters {
			cmd.Flags().Bool(s.Flag, false, s.Doc)
		}
	}
}

// chosenStarter returns the config of the starter whose flag is set, nil for none. The error names flags that exclude it.
func chosenStarter(cmd *cobra.Command, sections []target.Section, packs []string) ([]byte, error) {
	var flags, texts []string
	if len(packs) > 0 {
		flags, texts = append(flags, "--pack"), append(texts, "")
	}
	for _, section := range sections {
		for _, s := range section.Starters {
			if set, err := cmd.Flags().GetBool(s.Flag); err == nil && set {
				flags, texts = append(flags, "--"+s.Flag), append(texts, s.Text)
			}
		}
	}
	switch {
	case len(flags) == 0 || len(flags) == 1 && texts[0] == "":
		return nil, nil
	case len(flags) > 1:
		return nil, Usage("init: %s exclude each other; expected one of them", strings.Join(flags, " and "))
	}
	return slices.Concat([]byte(schemas.EditorLine+"\n"), []byte(texts[0])), nil
}
