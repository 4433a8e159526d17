// Package helixui contains the sentences of pack helix-ui: requests to a chat, and checks of the answers.
//
// A scenario's state is its turns, each a request and its response; a part is read once and stored. Steps skip invalid
// parts, since the judge reports them. It may import what steps may, and the target of this pack.
package helixui
