package letter

// Ways selects alternatives that the protocol's source shows or leaves to the caller of the streamer. The zero value
// follows the source's code.
type Ways struct {
	Example bool // texts without content, and an end event without data, as in the byte examples
	Rises   bool // the index rises after a complete result, as a caller may choose
	Typed   bool // calls and citations are sent as the types of messages that the source names
	Other   bool // the second alternative wherever the source allows two
}
