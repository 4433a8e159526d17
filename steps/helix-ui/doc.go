// Package helixui holds the sentences that only pack helix-ui says: what is asked of a chat, and what the answer is seen to
// hold.
//
// A scenario's state is its turns, each a request and its response; a part is read once and kept. What no schema accepts is
// passed over here, since the judge reports it. It may import what steps may, and the target of this pack.
package helixui
