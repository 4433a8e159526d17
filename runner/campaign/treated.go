package campaign

import "fmt"

// Treated are texts that formatters, sanitizers and decoders change. Each begins and ends with a letter, so that no white
// space is at an end. They are no class: draws that name one stay as they are.
func Treated() []string {
	return []string{
		"a%%b%sc%d", "a$$b$1c", "a\x1b[31mb\x1b[0mc", "soft\u00adhyphen", "a\ufffdb", "a\uffffb\ue000c", "a\u2764\ufe0fb", "a\u2060b\u200cc",
		"a\U000e0041b", "a  b   c", "a \n\n\n\tb", "a&amp;&#39;b", "a\u201cb\u201d\u2026c", "d2024-01-01T00:00:00+02:00Z", "a\\\\nb", "a<think>b</think>c",
	}
}

// Treated returns one of the texts of Treated, with a number in front, for one in seven choices of an operation whose data is
// of every class; else "". It is the nth text, from 0, that the operation has at once.
func (o Operation) Treated(nth, number int) string {
	way := o.Choice + apart*nth
	if o.Class != Every || way%7 != 3 {
		return ""
	}
	all := Treated()
	return fmt.Sprintf("%d %s", number, all[way/7%len(all)])
}
