package program

// The classes of data beside those of texts.
const (
	AnyValue      = "any"            // JSON values
	UnknownMember = "unknown-member" // a member that no chunk has
	UnknownType   = "unknown-type"   // a type that no server knows
	LackingMember = "lacking"        // such a type, without a member that every chunk has
	EveryClass    = "every"          // one class after the other
	ASCIIText     = "plain"          // words
	LongText      = "long"           // words of hundreds of KiB, with which a stream fails or ends
	EmptyText     = "empty"          // a text without a character, with which a stream fails
	GrowingState  = "growing"        // a patch that adds a member of that size to the state
	Patch         = "patch"          // patches, each of another way of changing something
	PatchApart    = "patch-apart"    // patches of step 1, and of step 2, which change what lies within what the one before added
	Reasoning     = "thoughts"       // reasoning in blocks of two increments and what completes them, which is empty or the whole block
	EqualText     = "equal"          // words, the same in each chunk of an operation
)

// ForeignWriter is a writer that was opened for an agent of its own, which writes nothing that adds to a snapshot.
const ForeignWriter = 9

// MixedChunks is the class of data in which each chunk is of another kind: most are words of the root agent, between them is
// what a server may take for something else.
const MixedChunks = "mingled"
