package stream

import "bytes"

// frameCache is the text of a frame around its chunk and its sequence. A server that writes the next chunk with the same
// bytes into the same text means the same, so that nothing has to be decoded: a stream may have thousands of chunks, and a
// chunk mebibytes.
type frameCache struct {
	known                  bool   // false: the next frame is decoded, and learnt
	before, between, after []byte // bytes around the chunk and the sequence, in the order of the text
	sequenceFirst          bool   // the sequence stands before the chunk
}

// learn stores a correct frame.
func (s *frameCache) learn(data, body []byte, sequence string) {
	at := bytes.Index(data, body)
	if s.known || at < 0 {
		return
	}
	head, tail, id := data[:at], data[at+len(body):], []byte(sequence)
	if bytes.Count(head, id)+bytes.Count(tail, id) != 1 {
		return // the sequence is ambiguous
	}
	learnt := frameCache{known: true}
	if before, after, first := bytes.Cut(head, id); first {
		learnt.before, learnt.between, learnt.after, learnt.sequenceFirst = before, after, tail, true
	} else {
		learnt.before = head
		learnt.between, learnt.after, _ = bytes.Cut(tail, id)
	}
	learnt.before, learnt.between, learnt.after = bytes.Clone(learnt.before), bytes.Clone(learnt.between), bytes.Clone(learnt.after)
	*s = learnt
}

// fits reports whether a frame brings a chunk in the text that is known.
func (s *frameCache) fits(data, body []byte, sequence string) bool {
	if !s.known || len(data) != len(s.before)+len(s.between)+len(s.after)+len(body)+len(sequence) {
		return false
	}
	first, second := body, []byte(sequence)
	if s.sequenceFirst {
		first, second = second, first
	}
	for _, piece := range [][]byte{s.before, first, s.between, second, s.after} {
		if !bytes.HasPrefix(data, piece) {
			return false
		}
		data = data[len(piece):]
	}
	return true
}
