// Package helixui is an executable specification of this protocol's streams: the parts of an answer that a script yields,
// the parts that a resumed reader gets, the view of a refreshed page, and the history of a chat.
//
// A [Turn] receives the script of a client, and each part. A part that no transition of the model explains is a
// [Violation], which names the violated requirement; an explained one counts an occasion of it. An allowance of the
// specification is a non-determinism of the model: deltas may be divided anywhere, reasoning may be hidden, all of it or
// none, outputs may be sent before they are complete, failures may be masked or break the connection, and parts of the
// application may come between all others. Rules that the judge of the pack checks in one response are left to it.
//
// The model knows no connection and no clock. It may import runner/model.
package helixui
