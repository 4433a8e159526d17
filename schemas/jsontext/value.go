package jsontext

import "iter"

// Value reads any value and returns its text, nil on an error.
func (r *Reader) Value() []byte {
	start := r.pos
	switch r.Next() {
	case '{':
		for more := r.Open('}'); more; more = r.More('}') {
			if _, ok := r.Name(); !ok {
				break
			}
			r.Value()
		}
	case '[':
		for more := r.Open(']'); more; more = r.More(']') {
			r.Value()
		}
	case '"':
		r.String()
	case 't':
		r.Word("true")
	case 'f':
		r.Word("false")
	case 'n':
		r.Word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		r.Number()
	default:
		r.Unexpected("a value")
	}
	if r.err != "" {
		return nil
	}
	return r.data[start:r.pos]
}

// Members reads an object: each member's name and the text of its value, in the order in which they were sent. It ends
// early on an error.
func (r *Reader) Members() iter.Seq2[String, []byte] {
	return func(yield func(String, []byte) bool) {
		for more := r.Open('}'); more; more = r.More('}') {
			name, ok := r.Name()
			if !ok {
				return
			}
			value := r.Value()
			if value == nil || !yield(name, value) {
				return
			}
		}
	}
}

// Compact returns a text, which has to be one JSON value nested at most so many levels, without the white space
// between its tokens. A text that has none is returned as it is; the caller must not change it.
func Compact(text []byte, most int) (compact []byte, ok bool) {
	r := NewReader(text, most)
	r.Space()
	r.Value()
	r.Space()
	if r.err != "" || r.pos < len(text) {
		return nil, false
	}
	if r.white == 0 {
		return text, true
	}
	out := make([]byte, 0, len(text)-r.white)
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			r.pos = i
			s := r.String()
			out = append(out, text[i:s.End+1]...)
			i = s.End + 1
		default:
			out = append(out, c)
			i++
		}
	}
	return out, true
}
