package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/idle"
)

// Server is a reference server that shows less than it could.
type Server = idle.Server[reference.Options]

// Catalogue returns all idle servers, sorted by name.
func Catalogue() []Server {
	all := slices.Concat(runs(), streams())
	slices.SortFunc(all, idle.Compare)
	return all
}

// Handler makes a server as base describes it, without the server's Never. Servers share no state, unless base has a store.
func Handler(s Server, base reference.Options) *alter.Server {
	o := s.Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), s.Wrap)
}
