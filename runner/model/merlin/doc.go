// Package merlin is an executable specification of this protocol's streams: the events that a script yields in each
// version, and the aggregate.
//
// A [Stream] receives the script of a client, and each event. An event that no transition of the model explains is a
// [Violation], which names the violated requirement; an explained one counts an occasion of it. An allowance of the
// specification is a non-determinism of the model: slices may be divided anywhere, another agent may have any unused index,
// the server chooses among steps with one name, a title and a citation at the end may come or not, and an unchanged step
// may be sent again.
//
// The model knows no connection and no clock. It may import runner/model.
package merlin
