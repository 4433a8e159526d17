package golden

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// mutation is one changed copy of a value.
type mutation struct {
	what string
	v    value
}

// mutations changes each member, item and scalar of a value in turn: another value of its type, another type, gone,
// renamed. A placeholder gets the other type only: its value is free.
func mutations(v value, path string) []mutation {
	var out []mutation
	with := func(what string, changed value) { out = append(out, mutation{path + " " + what, changed}) }
	switch {
	case v.kind == kindStamp:
		with("as text", value{kind: kindString, text: v.text})
		with("in seconds", value{kind: kindNumber, text: "1750000000"})
	case v.kind == kindString:
		with("longer", value{kind: kindString, text: v.text + "x"})
		if v.text != "" {
			with("empty", value{kind: kindString})
		}
		with("null", value{kind: kindNull, text: "null"})
	case v.kind == kindNumber:
		with("more", value{kind: kindNumber, text: strings.Replace("1"+v.text, "1-", "-1", 1)})
		with("as text", value{kind: kindString, text: v.text})
	case v.kind == kindBool:
		with("as text", value{kind: kindString, text: v.text})
		with("the other", value{kind: kindBool, text: map[string]string{"true": "false", "false": "true"}[v.text]})
	case v.kind == kindNull:
		with("as text", value{kind: kindString, text: v.text})
		with("false", value{kind: kindBool, text: "false"})
	default:
		with("null", value{kind: kindNull, text: "null"})
	}
	for i := range v.items {
		for _, m := range mutations(v.items[i], fmt.Sprintf("%s/%d", path, i)) {
			items := slices.Clone(v.items)
			items[i] = m.v
			out = append(out, mutation{m.what, value{kind: kindArray, items: items}})
		}
		with(fmt.Sprintf("without %d", i), value{kind: kindArray, items: slices.Delete(slices.Clone(v.items), i, i+1)})
	}
	for i, m := range v.members {
		object := func(changed []member) value {
			o := value{kind: kindObject, members: changed}
			o.sort()
			return o
		}
		for _, inner := range mutations(m.value, path+"/"+m.name) {
			members := slices.Clone(v.members)
			members[i].value = inner.v
			out = append(out, mutation{inner.what, object(members)})
		}
		with("without "+m.name, object(slices.Delete(slices.Clone(v.members), i, i+1)))
		renamed := slices.Clone(v.members)
		renamed[i].name += "2"
		with("with renamed "+m.name, object(renamed))
	}
	return out
}

// allowed are the changes that a server is free to make, by the end of their description.
func allowed(what string) bool {
	if what == "status/type longer" {
		return true // an unknown type, and a missing status frame
	}
	for _, name := range []string{"finalOutput", "streamId", "timestamp", "atSequence"} {
		if what == "fail without code" || what == "fail with renamed code" {
			return true
		}
		if what == "end without "+name || what == "end with renamed "+name || what == "truncated without "+name || what == "truncated with renamed "+name {
			return true
		}
	}
	return false
}

// TestEveryChangeIsSeen changes each member of each frame and each answer of the sample, and expects both comparisons
// to report it.
func TestEveryChangeIsSeen(t *testing.T) {
	tried := 0
	for _, transcript := range sample(t).Transcripts {
		for i, e := range transcript.Exchanges {
			if strings.HasPrefix(e.Path, "/control/") {
				continue // only whether it was accepted counts
			}
			for k, frame := range e.Frames {
				lines := splitLines(string(frame))
				data, _ := parts(lines)
				v, ok := decode([]byte(joinData(lines, data)))
				if !ok {
					t.Fatalf("frame %d of the sample is no JSON", k)
				}
				kind := v.get("type").text
				for _, m := range mutations(v, kind) {
					changed := slices.Clone(lines)
					changed[data[0]].text = "data: " + m.v.String()
					frames := slices.Clone(e.Frames)
					frames[k] = joinLines(changed)
					// A frame of another type is one that may come besides; the golden's is missing then all the same.
					seen(t, transcript, i, func(e *Exchange) { e.Frames = frames }, m.what)
					tried++
				}
			}
			if v, ok := decode(e.Answer); ok {
				for _, m := range mutations(v, "answer") {
					seen(t, transcript, i, func(e *Exchange) { e.Answer = []byte(m.v.String()) }, m.what)
					tried++
				}
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d changes were tried", tried)
	}
}

// TestEveryChangeOfAGoldenIsSeen does the same to each chunk frame and terminal frame of the kit's goldens. Each frame
// is alone with its exchange's head, which is enough for a comparison and keeps the test short.
func TestEveryChangeOfAGoldenIsSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("every frame of every golden")
	}
	names, err := Names(FS)
	if err != nil {
		t.Fatal(err)
	}
	// Without all, a tenth of the frames is tried, another each time.
	tried, done, all := 0, map[string]bool{}, os.Getenv("STREAMCERT_SOAK") != ""
	for _, name := range names {
		file, err := Read(FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, transcript := range file.Transcripts {
			for _, e := range transcript.Exchanges {
				for _, frame := range e.Frames {
					if done[string(frame)] {
						continue
					}
					done[string(frame)] = true
					if !all && rand.IntN(10) != 0 {
						continue
					}
					tried += everyChange(t, name, e, frame)
				}
			}
		}
	}
	t.Logf("%d changes of %d frames in %d goldens", tried, len(done), len(names))
	if len(names) > 0 && tried < 1000 {
		t.Errorf("only %d changes were tried", tried)
	}
}

func everyChange(t *testing.T, name string, e Exchange, frame []byte) (tried int) {
	lines := splitLines(string(frame))
	data, _ := parts(lines)
	if len(data) == 0 {
		return 0
	}
	v, ok := decode([]byte(joinData(lines, data)))
	if joinData(lines, data) == "[DONE]" { // the end marker of some protocols, which isn't JSON
		return 0
	}
	if !ok {
		t.Errorf("%s: a frame is no JSON: %s", name, frame)
		return 0
	}
	// The runtime's output is compared with the reference only.
	exact := strings.Contains(string(frame), "{ts") || v.get("type") == nil
	kind := "event"
	if v.get("type") != nil {
		kind = v.get("type").text
	}
	if kind == "status" {
		return 0 // status frames may be there or not
	}
	e.Frames, e.Alternatives = [][]byte{frame}, nil
	alone := Transcript{Name: "helix.golden.frame", Title: name, Exchanges: []Exchange{e}}
	for _, m := range mutations(v, kind) {
		if m.what == "truncated/atSequence more" {
			continue // sequences are compared by the order of their first use, and this one is alone
		}
		changed := slices.Clone(lines)
		changed[data[0]].text = "data: " + m.v.String()
		change := func(e *Exchange) { e.Frames = [][]byte{joinLines(changed)} }
		if tried++; exact {
			equals(t, alone, 0, change, m.what)
			continue
		}
		seen(t, alone, 0, change, m.what)
	}
	return tried
}

// equals expects the exact comparison to report a change, and returns the changed transcript.
func equals(t *testing.T, want Transcript, at int, change func(*Exchange), what string) Transcript {
	t.Helper()
	got := want
	got.Exchanges = slices.Clone(want.Exchanges)
	change(&got.Exchanges[at])
	got = tested.Normalise(got, known)
	if Equal(want, got) == "" {
		t.Errorf("Equal does not see: %s", what)
	}
	return got
}

func seen(t *testing.T, want Transcript, at int, change func(*Exchange), what string) {
	t.Helper()
	got := equals(t, want, at, change, what)
	if free := allowed(what); (len(tested.Compare(want, got)) == 0) != free {
		t.Errorf("Compare sees %v, allowed %v: %s", tested.Compare(want, got), free, what)
	}
}

// TestEveryLineIsSeen leaves out, repeats and changes each line of the sample, and expects Equal to report it where
// the text still is a transcript of the same number of exchanges.
func TestEveryLineIsSeen(t *testing.T) {
	want := sample(t).Transcripts[0]
	text := splitText(Format(File{[]Transcript{want}}))
	for i := range text {
		for _, changed := range [][]string{
			slices.Delete(slices.Clone(text), i, i+1),
			slices.Insert(slices.Clone(text), i, text[i]),
			slices.Replace(slices.Clone(text), i, i+1, text[i]+"x"),
		} {
			got, err := Parse("x", []byte(strings.Join(changed, "\n")+"\n"))
			if err != nil {
				continue
			}
			if Equal(want, got.Transcripts[0]) == "" {
				t.Errorf("Equal does not see a change of line %d, %s", i+1, text[i])
			}
		}
	}
}

func BenchmarkNormaliseFormat(b *testing.B) {
	in := sample(b).Transcripts[0]
	frames := in.Exchanges[0].Frames[:2]
	in.Exchanges[0].Frames = nil
	for range 50 {
		in.Exchanges[0].Frames = append(in.Exchanges[0].Frames, frames...)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(Format(File{[]Transcript{in}}))))
	for b.Loop() {
		Format(File{[]Transcript{tested.Normalise(in, known)}})
	}
}

func BenchmarkParse(b *testing.B) {
	text := Format(sample(b))
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("x", text); err != nil {
			b.Fatal(err)
		}
	}
}
