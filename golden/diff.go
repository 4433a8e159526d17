package golden

import "strings"

// Equal compares two transcripts byte for byte as Format writes them, without the alternatives of either. It returns
// "" if they are equal, else a diff for people: -want, +got, and below a pair of payloads the members that differ.
// Both are expected normalised. The same input gives the same text.
func Equal(want, got Transcript) (diff string) {
	w, g := Format(File{[]Transcript{withoutChoices(want)}}), Format(File{[]Transcript{withoutChoices(got)}})
	if string(w) == string(g) {
		return ""
	}
	return lineDiff(splitText(w), splitText(g))
}

// withoutChoices returns the transcript without the parts that only Compare reads.
func withoutChoices(t Transcript) Transcript {
	exchanges := t.Exchanges
	t.Exchanges = nil
	for _, e := range exchanges {
		e.Also, e.Alternatives = nil, nil
		t.Exchanges = append(t.Exchanges, e)
	}
	return t
}

func splitText(b []byte) []string { return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") }

// edit is one line of a diff: ' ' in both, '-' only wanted, '+' only got.
type edit struct {
	op   byte   // one of ' ', '-', '+'
	text string // without its line end
}

// context is the number of equal lines around a difference.
const context = 3

func lineDiff(want, got []string) string {
	edits := script(want, got)
	near := make([]bool, len(edits))
	for i, e := range edits {
		if e.op != ' ' {
			for j := max(0, i-context); j <= min(len(edits)-1, i+context); j++ {
				near[j] = true
			}
		}
	}
	var b strings.Builder
	heading := ""
	for i := 0; i < len(edits); i++ {
		if e := edits[i]; e.op != '+' && strings.HasPrefix(e.text, "==") {
			heading = e.text
		}
		if !near[i] {
			continue
		}
		if i > 0 && !near[i-1] {
			b.WriteString("@@ " + heading + "\n")
		}
		b.WriteString(string(edits[i].op) + edits[i].text + "\n")
		if last := i+1 == len(edits) || edits[i+1].op != '+'; edits[i].op == '+' && last {
			b.WriteString(members(edits, i))
		}
	}
	return b.String()
}

// members names the differences in the payloads of a run of -lines and the run of +lines that ends at last.
func members(edits []edit, last int) string {
	mid := last
	for mid >= 0 && edits[mid].op == '+' {
		mid--
	}
	first := mid
	for first >= 0 && edits[first].op == '-' {
		first--
	}
	want, got := payloads(edits[first+1:mid+1]), payloads(edits[mid+1:last+1])
	var b strings.Builder
	for i := 0; i < len(want) && i < len(got); i++ {
		for _, d := range exactly(want[i], got[i]) {
			b.WriteString("  ~ " + d.String() + "\n")
		}
	}
	return b.String()
}

func payloads(edits []edit) []value {
	var out []value
	for _, e := range edits {
		for _, mark := range []string{"data:", "<|", ">|"} {
			if text, ok := strings.CutPrefix(e.text, mark); ok {
				if v, ok := decode([]byte(text)); ok {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// maxCells limits the table of script: larger differences are shown as all lines of one, then all of the other.
const maxCells = 4_000_000

// script finds the longest common lines.
func script(want, got []string) []edit {
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	var edits []edit
	for _, text := range want[:head] {
		edits = append(edits, edit{' ', text})
	}
	edits = append(edits, middle(want[head:len(want)-tail], got[head:len(got)-tail])...)
	for _, text := range want[len(want)-tail:] {
		edits = append(edits, edit{' ', text})
	}
	return edits
}

func middle(want, got []string) (edits []edit) {
	w, g := 0, 0
	if (len(want)+1)*(len(got)+1) <= maxCells {
		common := commonLines(want, got)
		for w < len(want) && g < len(got) {
			switch {
			case want[w] == got[g]:
				edits = append(edits, edit{' ', want[w]})
				w, g = w+1, g+1
			case common[w+1][g] >= common[w][g+1]:
				edits = append(edits, edit{'-', want[w]})
				w++
			default:
				edits = append(edits, edit{'+', got[g]})
				g++
			}
		}
	}
	for ; w < len(want); w++ {
		edits = append(edits, edit{'-', want[w]})
	}
	for ; g < len(got); g++ {
		edits = append(edits, edit{'+', got[g]})
	}
	return edits
}

// commonLines returns, for each pair of positions, the length of the longest common subsequence of lines from there on.
func commonLines(want, got []string) [][]int {
	table := make([][]int, len(want)+1)
	for i := range table {
		table[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
