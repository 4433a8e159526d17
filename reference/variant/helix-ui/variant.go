package helixui

import (
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[helixui.Options]

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(parts(), turns(), chats(), waiting(), variant.Latencies[helixui.Options]("helix-ui.text.live"))
	slices.SortFunc(all, variant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the variant's freedom.
func Handler(v Variant, base helixui.Options) *alter.Server {
	return alter.NewServer(helixui.New(v.Applied(base.WithDefaults())), v.Wrap)
}
