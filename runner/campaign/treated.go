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

// Treated returns the nth text of an operation whose data is of every class where that is one of Treated, with its number;
// else "".
func (o Operation) Treated(n int) string {
	if o.Class != Every || n%7 != 3 {
		return ""
	}
	all := Treated()
	return fmt.Sprintf("%d %s", n, all[n/7%len(all)])
}
