// Package alter holds the words with which mutants and variants of every protocol are written: where something is
// altered, when, and what is done there.
//
// A Flow is a place that items pass, such as the events of a response; a Wire is the place where they become bytes. A
// When says which of the items are meant, and may count them or look at others: the nth, every nth, those since another,
// the next behind another, those between two, each of these for every key. What it leaves is a Choice or Frames, whose
// methods are what can be done: drop, repeat, edit, follow, hold, set, remove, rename. Each returns a function that changes
// the options of a server, and All puts several of them together. Answers are the responses to some requests, with methods
// that change what stands around a server:
//
//	Events(Kind(event.ToolCall, event.Delta)).Drop()
//	Frames(Kind(event.Done), LaterBlocks()).Remove("threadId")
//	Written(Type("run_resumed").From(2)).Set("mode", "continue")
//	AnswersTo(isRead).When(IsStream).Set("Cache-Control", "private, max-age=60")
//
// Beside these, a Response does some things of a ResponseWriter differently, a Block is one event of a stream, an Object
// keeps the bytes of its members, and a Ledger remembers something of each stream or thread.
//
// Package reference/mutant says what a mutant is, and reference/variant what a variant is. The places and conditions of
// one protocol's server stand in a package below this one, the catalogues in packages below those two. Nothing here knows
// a protocol, and nothing judges. It imports the standard library.
package alter
