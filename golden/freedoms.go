package golden

import "slices"

// Freedoms lists the parts of a transcript in which servers of a pack may differ, so that it can be normalised and
// compared. The zero value allows only differences of spelling and timestamps.
type Freedoms struct {
	// Headers are those that some requirement constrains, in lower case. Others aren't written to a golden.
	Headers []string
	// IDs are the members of a frame or an answer whose values a server chooses, with the class of the placeholder for
	// each. ChunkIDs are those in a chunk of the server's runtime, and in the parts of a snapshot's messages; EventIDs
	// those in an event of the server, and in the event's content.
	IDs, ChunkIDs, EventIDs map[string]string
	// RequestIDs are the members of a request that may contain an earlier choice of the server, if its runtime answers. IDs
	// always may.
	RequestIDs map[string]string
	// NestedIDs are such members of a frame at any depth.
	NestedIDs map[string]string
	// Read is the end of the path of a read. The path before it names the stream, which numbers its sequences.
	Read string
	// Sequences are the members that contain such a sequence.
	Sequences []string

	// Type is the member that names the type of a frame; "" where frames are compared as wholes.
	Type string
	// Chunk is the type of the frames that carry a chunk, under a member of the same name; "" for none.
	Chunk string
	// Notice is the type of frames that may come besides or not at all; "" for none.
	Notice string
	// Types are those of frames that must not be added. Frames of other types may.
	Types []string
	// Optional are the members that a frame need not have, by its type.
	Optional map[string][]string
	// Closes are the types of frames after which a server may close, with the status that the frame must have; "" is any.
	Closes map[string]string
}

// constrains reports whether some requirement speaks of a header.
func (f *Freedoms) constrains(name string) bool { return slices.Contains(f.Headers, name) }

// numbered reports whether a member contains a sequence.
func (f *Freedoms) numbered(name string) bool { return slices.Contains(f.Sequences, name) }

// mayLack reports whether a member of frames of a type is optional. If present, it must be right.
func (f *Freedoms) mayLack(kind, name string) bool { return slices.Contains(f.Optional[kind], name) }

// isFree reports whether a placeholder replaces a free choice: an id of a class, or a timestamp.
func (f *Freedoms) isFree(token string) bool {
	if stampToken.FindString(token) == token {
		return true
	}
	for _, table := range []map[string]string{f.IDs, f.ChunkIDs, f.EventIDs, f.NestedIDs} {
		for _, class := range table {
			if rest, ok := numberOfClass(token, class); ok && digits(rest) {
				return true
			}
		}
	}
	return false
}

// numberOfClass returns the number of a placeholder of a class, "" for the first.
func numberOfClass(token, class string) (number string, ok bool) {
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
