// Package steps is the common part of the vocabularies of all packs: the registry of sentences, the world of a scenario,
// and the outcomes of a step. The sentences of a pack are in the folder of its name.
//
// A [World] belongs to one scenario: its record of every exchange, its control calls and its outcome. A pack attaches its
// [State] to it. A Then counts its occasions, so that a check without an object proves nothing. A [Fixture] shows that a Then
// can fail.
//
// Only package target knows routes and headers. The package never imports net/http and never the reference server. It may
// import godog, features, target, record and schemas.
package steps
