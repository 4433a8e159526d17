package golden

import "slices"

// Freedoms say what a pack leaves to its servers, so that a transcript can be normalised and compared. The zero value
// leaves nothing but spelling and timestamps.
type Freedoms struct {
	// Headers are those that some requirement constrains, in lower case. Others don't stand in a golden.
	Headers []string
	// IDs are the members of a frame or an answer whose values a server chooses, with the class of the placeholder that
	// each becomes. ChunkIDs are those in a chunk that a server's own runtime made, and in the parts of a snapshot's
	// messages; EventIDs those in an event that it made, and in the event's content.
	IDs, ChunkIDs, EventIDs map[string]string
	// AskedIDs are the members of a request that may name what the server chose before, when its runtime answers. IDs
	// may always.
	AskedIDs map[string]string
	// DeepIDs are members of a frame likewise, however deep in it they stand.
	DeepIDs map[string]string
	// Read is the end of the path of a read. The path before it names the stream, which numbers its own sequences.
	Read string
	// Sequences are the members that contain such a sequence.
	Sequences []string

	// Type is the member that names the type of a frame; "" where frames are compared as wholes.
	Type string
	// Chunk is the type of the frames that carry a chunk, under a member of the same name; "" for none.
	Chunk string
	// Notice is the type of frames that may come besides or not at all; "" for none.
	Notice string
	// Types are those of frames that must not come besides. Of others one may.
	Types []string
	// Optional are the members that a frame need not have, by its type.
	Optional map[string][]string
	// Closes are the types of frames after which a server may close, with the status that the frame must have; "" is any.
	Closes map[string]string
}

// constrains reports whether some requirement speaks of a header.
func (f *Freedoms) constrains(name string) bool { return slices.Contains(f.Headers, name) }

// numbered reports whether a member holds a sequence.
func (f *Freedoms) numbered(name string) bool { return slices.Contains(f.Sequences, name) }

// mayLack reports whether a frame of a type needs not have a member. What it holds must be right if it is there.
func (f *Freedoms) mayLack(kind, name string) bool { return slices.Contains(f.Optional[kind], name) }

// isFree reports whether a placeholder stands for a free choice: an id of a class, or a timestamp.
func (f *Freedoms) isFree(token string) bool {
	if stampToken.FindString(token) == token {
		return true
	}
	for _, table := range []map[string]string{f.IDs, f.ChunkIDs, f.EventIDs, f.DeepIDs} {
		for _, class := range table {
			if rest, ok := cutClass(token, class); ok && digits(rest) {
				return true
			}
		}
	}
	return false
}

// cutClass returns the number of a placeholder of a class, "" for the first.
func cutClass(token, class string) (number string, ok bool) {
	n := len(class)
	if len(token) < n+2 || token[1:n+1] != class {
		return "", false
	}
	return token[n+1 : len(token)-1], true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) <= 9
}
