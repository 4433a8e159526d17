package beacon

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/runner/packs/testdata/reference/beacon"
)

// Server is a reference server that shows less than it could.
type Server = idle.Server[beacon.Options]

// Catalogue returns all idle servers, sorted by name.
func Catalogue() []Server {
	return []Server{{
		Name: "no-orders", Summary: "Nobody can give an order, so that there is nothing to watch.", Never: []string{"beacon.*"},
		Wrap: idle.Refuses(http.StatusNotFound, alter.Any),
	}}
}

// Handler makes a server that is like the one that base describes but for what it never shows.
func Handler(s Server, base beacon.Options) *alter.Server {
	return alter.NewServer(beacon.New(s.Applied(base.WithDefaults())), s.Wrap)
}
