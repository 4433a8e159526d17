package program

// The classes of data that aren't classes of texts.
const (
	AnyValue      = "any"            // JSON values
	UnknownMember = "unknown-member" // with a member that no chunk has
	UnknownType   = "unknown-type"   // of a type that no server knows
	LackingMember = "lacking"        // of such a type, without a member that every chunk has
	EveryClass    = "every"          // one class after the other
	ASCIIText     = "plain"          // words
	LongText      = "long"           // words of hundreds of KiB, with which a stream fails or ends
	EmptyText     = "empty"          // a text without a character, with which a stream fails
	GrowingState  = "growing"        // a patch that adds a member of that size to the state
	Patch         = "patch"          // patches, each with another kind of change
	PatchApart    = "patch-apart"    // patches of step 1, and of step 2, which change values within the value that the one before added
	Reasoning     = "thoughts"       // reasoning in blocks of two increments and a completing chunk, whose content is empty or the complete block
	EqualText     = "equal"          // words, equal in all chunks of an operation
)

// ForeignWriter is a writer that is opened for another agent. No snapshot shows its chunks.
const ForeignWriter = 9

// MixedChunks is the class of data in which each chunk is of another kind: most are texts of the root agent; the others
// may confuse a server.
const MixedChunks = "mingled"
