package letter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
)

// text is a string of UTF-16 units, as in the source's language; it may begin or end inside a character.
type text []uint16

// of returns a text as the source's language has it: in units of UTF-16.
func of(s string) text { return utf16.Encode([]rune(s)) }

// UnmarshalJSON implements json.Unmarshaler. It retains a lone surrogate.
func (t *text) UnmarshalJSON(raw []byte) error {
	var plain string
	if err := json.Unmarshal(raw, &plain); err != nil {
		return fmt.Errorf("reading a text: %w", err)
	}
	if !bytes.Contains(raw, []byte(`\u`)) {
		*t = of(plain)
		return nil
	}
	*t = nil
	for raw = raw[1 : len(raw)-1]; len(raw) > 0; {
		n := 1
		for n < len(raw) && raw[n] != '\\' {
			n++
		}
		switch {
		case raw[0] != '\\':
			*t = append(*t, of(string(raw[:n]))...)
		case raw[1] == 'u':
			unit, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
			if err != nil {
				return fmt.Errorf("reading a text: %w", err)
			}
			*t, n = append(*t, uint16(unit)), 6
		default:
			if err := json.Unmarshal(fmt.Appendf(nil, `"%s"`, raw[:2]), &plain); err != nil {
				return fmt.Errorf("reading a text: %w", err)
			}
			*t, n = append(*t, of(plain)...), 2
		}
		raw = raw[n:]
	}
	return nil
}

// MarshalJSON implements json.Marshaler. A lone surrogate becomes an escape.
func (t text) MarshalJSON() ([]byte, error) {
	out := []byte{'"'}
	for i := 0; i < len(t); i++ {
		unit := rune(t[i])
		switch {
		case !utf16.IsSurrogate(unit):
			out = append(out, encoded(string(unit))...)
		case i+1 < len(t) && utf16.DecodeRune(unit, rune(t[i+1])) != '\ufffd':
			out = append(out, encoded(string(utf16.DecodeRune(unit, rune(t[i+1]))))...)
			i++
		default:
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return append(out, '"'), nil
}

// encoded returns the inside of a string in JSON.
func encoded(s string) []byte {
	whole := marshal(s)
	return whole[1 : len(whole)-1]
}

// marshal writes a value without the escapes that only HTML needs.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("writing JSON: %w", err)) // values come from JSON
	}
	return bytes.TrimSpace(b.Bytes())
}
