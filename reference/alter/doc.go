// Package alter holds the functions with which mutants and variants of every protocol are written: where something is
// altered, when, and how.
//
// A Flow is a point that items pass, such as the events of a response; a Wire is the point where they become bytes. A When
// selects some of the items, and may count them or inspect others: the nth, every nth, those since another, the next after
// another, those between two, each of these for every key. It makes a Choice or Frames, whose methods are the possible
// changes: drop, repeat, edit, follow, hold, set, remove, rename. Each returns a function that changes the options of a
// server, and All combines several of them. Answers are the responses to some requests, with methods that wrap a server:
//
//	Events(Kind(event.ToolCall, event.Delta)).Drop()
//	Frames(Kind(event.Done), LaterBlocks()).Remove("threadId")
//	Written(Type("run_resumed").From(2)).Set("mode", "continue")
//	AnswersTo(isRead).When(IsStream).Set("Cache-Control", "private, max-age=60")
//
// In addition, a Response replaces some methods of a ResponseWriter, a Block is one event of a stream, an Object keeps the
// bytes of its members, and a PerKey stores a value for each stream or thread.
//
// Package reference/mutant defines mutants, and reference/variant variants. The flows and conditions of one protocol's
// server are in a package below this one, the catalogues in packages below those two. This package contains no protocol and
// no judgement. It imports the standard library.
package alter
