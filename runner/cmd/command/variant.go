package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/packs"
)

// VariantFlag adds the flag that names the variant of a stream's pack.
func VariantFlag(cmd *cobra.Command, variant *string) {
	cmd.Flags().StringVar(variant, "variant", "", "`VERSION` of the route that was asked, for a pack that has several, such as v2; guessed if not given")
}

// variantRoute returns the pack that has a variant, and its route. chosen is the requested pack, or free for any.
func variantRoute(all packs.List, name, chosen, free string) (pack, route string, err error) {
	var known []string
	for _, p := range all {
		for _, v := range p.Stream.Variants {
			if known = append(known, v.Name); v.Name == name && (chosen == free || chosen == p.Name) {
				return p.Name, v.Route, nil
			}
		}
	}
	if slices.Contains(known, name) {
		return "", "", Usage("--variant %s: pack %s has one version only; leave it out", name, chosen)
	}
	return "", "", Usage("--variant %q%s: expected %s", name, Suggest(name, known), strings.Join(known, " or "))
}
