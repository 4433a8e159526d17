package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/idle"
)

// Server is a reference server that shows less than it could.
type Server = idle.Server[aep.Options]

// Catalogue returns all idle servers, sorted by name.
func Catalogue() []Server {
	all := slices.Concat(silent(), unskilled(), sparse())
	slices.SortFunc(all, idle.Compare)
	return all
}

// Handler makes a server as base describes it, without the server's Never. Servers share no state, unless base has threads
// or actions.
func Handler(s Server, base aep.Options) *alter.Server {
	o := s.Applied(base.WithDefaults())
	return alter.NewServer(aep.New(o), s.Wrap)
}
