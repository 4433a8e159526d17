package aep

// The classes of data that the campaigns of all packs don't have.
const (
	sample = "sample" // one text or value of the catalogue and nothing else, selected by a number
	every  = "every"  // all of the catalogue
	values = "any"    // JSON values
	ascii  = "plain"  // words
)

// failures are the ways in which an agent fails.
var failures = []string{"agent_error", "tool_error", "internal_error"}

// unbroken are the classes without white space, in which a text of any size may come in one piece.
var unbroken = []string{"number-like", "astral", "accents"}
