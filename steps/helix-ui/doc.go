// Package helixui contains the sentences of pack helix-ui: requests to a chat, and checks of the answers.
//
// Files, in reading order: turn (a request and its response), world (a scenario), ending, content and particle (what a response
// has), tool, waiting and metadata, refusal; history, resume and moment (what readers get later), security; campaign, fixtures
// and vocabulary (the lists of sentences and of worlds that fail them).
//
// Invariants: a turn knows no other turn but the one whose calls it answers; world.turns only grows, in the order of the
// requests; a reader that came back is a turn without a script.
//
// A scenario's state is its turns, each a request and its response; a part is read once and stored. Steps skip invalid
// parts, since the judge reports them. It may import what steps may, and the target of this pack.
package helixui
