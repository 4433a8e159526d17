package aep

import on "github.com/streamcert/streamcert/reference/alter/aep"

// apply changes the options of a server.
type apply = on.Apply
