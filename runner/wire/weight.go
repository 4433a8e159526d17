package wire

const (
	// mostWeight limits the memory for the values of a block that is decoded as JSON, in bytes.
	mostWeight = 220 << 20
	// containerWeight is the memory of an object with a member, and of the reference to it.
	containerWeight = 350
	// itemWeight is the weight of a further member or item.
	itemWeight = 60
)

// weight is about the memory that the values of a JSON text take once they are decoded, in bytes. A text of a few megabytes
// may take a hundred times its length.
func weight(text []byte) (n int64) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case ',':
			n += itemWeight
		case '}', ']': // what isn't closed is no JSON
			n += containerWeight
		}
	}
	return n
}

// Weigh returns a *LimitError if the values of a block's data, taken as JSON, would take too much memory decoded. offset and
// line are where the block begins.
func Weigh(data []byte, offset int64, line int) error {
	if len(data) > mostWeight/containerWeight && weight(data) > mostWeight {
		return &LimitError{Limit: mostWeight, Decoded: true, Offset: offset, Line: line}
	}
	return nil
}
