package aep

import (
	"github.com/streamcert/streamcert/runner/judge"
)

// largest limits the stored bytes of a call's arguments.
const largest = 1 << 20

// joined concatenates the pieces of a block. A text is hashed; the arguments of
// a call are stored, since they are compared as values.
type joined struct {
	judge.Sum
	stored []byte // arguments only; nil once lost
	lost   bool   // more came than is stored
}

// add appends a piece. With keep its bytes are stored too, up to the limit.
func (j *joined) add(piece string, keep bool) {
	j.Add(piece)
	switch {
	case !keep:
	case len(j.stored)+len(piece) > largest:
		j.lost, j.stored = true, nil
	case !j.lost:
		j.stored = append(j.stored, piece...)
	}
}

// text returns the digest of the joined pieces as a text.
func (j *joined) text() content {
	return content{sum: judge.TextDigest(j.Hash()), known: true, empty: j.Size == 0}
}

// shown returns the beginning of the pieces for people.
func (j *joined) shown() string { return judge.Show(j.Start) }

// content is a digest of a block's text or value, for comparing.
type content struct {
	sum   uint64 // digests of equal contents are equal; undefined unless known
	known bool   // false: the member is missing, and is compared with nothing
	empty bool   // a text without characters
}

// textOf returns the digest of a text. It equals that of the same text in pieces.
func textOf(s string) content {
	return content{sum: judge.TextDigest(judge.Hash(s)), known: true, empty: s == ""}
}

// valueOf returns the digest of a JSON value; the order of members and the spelling of numbers don't matter.
func valueOf(v any) content { return content{sum: judge.Digest(v), known: true} }

// contents lists the members of a block by which blocks are compared. The member entire is the block's text or arguments.
type contents [5]content

const (
	entire = iota
	callID
	toolName
	status
	summary
)

// members returns the names of the members that are texts, by index.
func members() []string {
	return []string{callID: "toolCallId", toolName: "toolName", status: "status", summary: "summary"}
}

// note records the members of a tool that object has, unless they are recorded.
func (s *contents) note(object map[string]any) {
	for i, name := range members() {
		if text, ok := object[name].(string); ok && !s[i].known {
			s[i] = textOf(text)
		}
	}
}

// against returns the members that both blocks have, and those of them that differ.
func (s *contents) against(other *contents) (common, differ []int) {
	for i := range s {
		if s[i].known && other[i].known {
			common = append(common, i)
			if s[i].sum != other[i].sum {
				differ = append(differ, i)
			}
		}
	}
	return common, differ
}
