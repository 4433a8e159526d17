// Package steps holds what the vocabularies of all packs have in common: the
// registry of sentences, the world of a scenario, and the outcomes of a step. The
// sentences of a pack stand in the folder of its name.
//
// A [World] belongs to one scenario: its record of every exchange, its control
// calls and its outcome. A pack hangs its own [State] on it. A Then counts its
// occasions, so that a check which looked at nothing proves nothing. A [Pair] shows
// of a Then that it can fail.
//
// Only package target knows routes and headers. The package never imports net/http
// and never the reference server. It may import godog, features, target, record and
// schemas.
package steps
