package stream

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// values lists the mutants of values.
func values() []edit.Mutant {
	return []edit.Mutant{
		// These change values inside chunks.
		{Name: "rounds-fractions", Requirement: "helix.chunks.any-value",
			Summary: "Fractions are printed with six digits.",
			Apply:   edit.OnValues(rounded(".", 6))},
		{Name: "turns-empty-object-into-null", Requirement: "helix.chunks.any-value",
			Summary: "An empty map of the server's language becomes a null in JSON.",
			Apply: edit.OnValues(func(v any) any {
				if m, ok := v.(map[string]any); ok && len(m) == 0 {
					return nil
				}
				return v
			})},
		{Name: "drops-nulls", Requirement: "helix.chunks.nulls-kept",
			Summary: "The serialiser leaves out members that are null.",
			Apply: edit.OnChunks(func(_ string, members alter.Object) bool {
				changed := false
				for _, name := range edit.AnyMembers() {
					switch raw := members[name]; {
					case raw == nil:
					case string(raw) == "null":
						delete(members, name)
						changed = true
					case bytes.Contains(raw, []byte(`:null`)):
						members[name] = alter.Encode(alter.Walk(edit.ValueOf(raw), edit.WithoutNulls))
						changed = true
					}
				}
				return changed
			})},
		{Name: "replaces-half-a-pair", Requirement: "helix.chunks.strings-exact",
			Summary: "The chunk is decoded into text, in which half of a surrogate pair becomes U+FFFD.",
			Apply: edit.OnChunks(func(_ string, members alter.Object) bool {
				halves := false
				for name, value := range members {
					if bytes.Contains(value, []byte(`\ud83d"`)) {
						members[name], halves = bytes.ReplaceAll(value, []byte(`\ud83d"`), []byte(`\ufffd"`)), true
					}
				}
				return halves
			})},

		// These lose a part of a value.
		{Name: "rounds-large-integers", Requirement: "helix.chunks.integers-exact",
			Summary: "Numbers are printed with 15 digits, which is enough for all but the largest integers.",
			Apply:   edit.OnValues(rounded("", 15))},
		{Name: "trims-deltas", Requirement: "helix.chunks.strings-exact",
			Summary: "White space at the beginning of a delta is trimmed.",
			Apply:   edit.OnDeltas(func(delta string) string { return strings.TrimLeft(delta, " \t\r\n") })},
		{Name: "decodes-body-by-parts", Requirement: "helix.chunks.strings-exact",
			Summary: "Each part of a long body is decoded for itself, so that a character between two parts is lost.",
			Wrap: alter.OnBodies(alter.Any, func(body []byte) (text []byte) {
				for part := range slices.Chunk(body, 64<<10) {
					text = append(text, bytes.ToValidUTF8(part, []byte("\ufffd"))...)
				}
				return text
			})},
		{Name: "normalises-unicode", Requirement: "helix.chunks.strings-exact",
			Summary: "Text is brought into the composed Unicode form before it is stored.",
			Apply:   edit.OnDeltas(composed().Replace)},
	}
}

// composed brings some letters into the composed Unicode form.
func composed() *strings.Replacer {
	return strings.NewReplacer("a\u0301", "á", "e\u0301", "é", "i\u0301", "í", "o\u0301", "ó", "u\u0301", "ú",
		"n\u0303", "ñ")
}

// rounded prints numbers with a number of digits: those with the mark in them, or integers where it is empty.
func rounded(mark string, digits int) func(any) any {
	return func(v any) any {
		number, ok := v.(json.Number)
		if !ok || mark != "" && !strings.Contains(number.String(), mark) || mark == "" && !isInteger(number.String()) {
			return v
		}
		f, err := number.Float64()
		if err != nil {
			return v
		}
		return json.Number(strconv.FormatFloat(f, 'g', digits, 64))
	}
}

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return strings.Trim(digits, "0123456789") == ""
}
