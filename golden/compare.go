package golden

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Difference is a part of a golden that another server's transcript lacks or has in another form. Where names the
// exchange, and the frame and member in it. Want and Got are texts for people; "" is nothing.
type Difference struct{ Where, Want, Got string }

func (d Difference) String() string {
	return fmt.Sprintf("%s: want %s, got %s", d.Where, orNothing(d.Want), orNothing(d.Got))
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// Compare returns the differences of got, a normalised transcript of another server, from the golden want. FORMAT.md lists
// the allowed differences: additions, spelling, numbering, and the alternatives that the golden contains.
func (f Freedoms) Compare(want, got Transcript) []Difference {
	m := newMatcher(&f)
	w, g := joined(want.Exchanges), joined(got.Exchanges)
	var out []Difference
	for i := range max(len(w), len(g)) {
		where := fmt.Sprintf("exchange %d", i+1)
		switch {
		case i >= len(g):
			out = append(out, Difference{where, strconv.Quote(w[i].Heading), ""})
		case i >= len(w):
			out = append(out, Difference{where, "", strconv.Quote(g[i].Heading)})
		case w[i].Heading != g[i].Heading:
			out = append(out, Difference{where, strconv.Quote(w[i].Heading), strconv.Quote(g[i].Heading)})
		default:
			where += " (" + w[i].Heading + ")"
			var found []Difference
			found, m = m.exchange(w[i], g[i], where)
			out = append(out, found...)
		}
	}
	return out
}

// joined folds an exchange in which the reader reconnected into the one before it: a server may close a body that it
// could have left open.
func joined(exchanges []Exchange) []Exchange {
	var out []Exchange
	for _, e := range exchanges {
		if e.Heading != Reconnects || len(out) == 0 {
			out = append(out, e)
			continue
		}
		last := &out[len(out)-1]
		last.Frames = append(slices.Clip(last.Frames), e.Frames...)
		last.End = e.End
	}
	return out
}

// matcher maps numbers and free choices of the golden to those of the other server.
type matcher struct {
	freedoms          *Freedoms         // of the pack
	stream            string            // the one that the exchange at hand is about: each numbers its sequences
	numbers, numberOf map[number]int64  // injective: of the golden to the other server's, and back; ascending in a stream
	tokens, tokenOf   map[string]string // injective: of the golden to the other server's, and back
}

// number is one of a stream.
type number struct {
	stream string // id; "" outside of streams
	n      int64
}

func newMatcher(f *Freedoms) *matcher {
	return &matcher{f, "", map[number]int64{}, map[number]int64{}, map[string]string{}, map[string]string{}}
}

// streamOf returns the part of a path that names the stream.
func (f *Freedoms) streamOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return strings.TrimSuffix(path, f.Read)
}

// clone returns a copy for a try, whose bindings are dropped if it fails.
func (m *matcher) clone() *matcher {
	return &matcher{m.freedoms, m.stream, maps.Clone(m.numbers), maps.Clone(m.numberOf), maps.Clone(m.tokens), maps.Clone(m.tokenOf)}
}

// sequence binds a number of the golden to one of the other server at first use. The order is stored, and 0, which
// means before the first, is 0 everywhere.
func (m *matcher) sequence(want, got string) bool {
	w, wErr := strconv.ParseInt(want, 10, 64)
	g, gErr := strconv.ParseInt(got, 10, 64)
	if wErr != nil || gErr != nil || w <= 0 || g <= 0 {
		return want == got
	}
	if known, ok := m.numbers[number{m.stream, w}]; ok {
		return known == g
	}
	if _, taken := m.numberOf[number{m.stream, g}]; taken {
		return false
	}
	for w2, g2 := range m.numbers {
		if w2.stream == m.stream && (w < w2.n) != (g < g2) {
			return false
		}
	}
	m.numbers[number{m.stream, w}], m.numberOf[number{m.stream, g}] = g, w
	return true
}

// choice binds a placeholder of the golden for a server's free choice to the other server's at first use.
func (m *matcher) choice(want, got string) bool {
	if known, ok := m.tokens[want]; ok {
		return known == got
	}
	if _, taken := m.tokenOf[got]; taken {
		return false
	}
	m.tokens[want], m.tokenOf[got] = got, want
	return true
}

// exchange compares a response with the golden's, then with its alternatives; it returns the matcher to go on with.
func (m *matcher) exchange(want, got Exchange, where string) ([]Difference, *matcher) {
	control := strings.HasPrefix(want.Path, "/control/")
	m.stream = m.freedoms.streamOf(want.Path)
	main := m.clone()
	found := main.response(want.response(), got.response(), where, control)
	if len(found) == 0 {
		return nil, main
	}
	for _, a := range want.Alternatives {
		try := m.clone()
		if len(try.response(a, got.response(), where, control)) == 0 {
			return nil, try
		}
	}
	return found, main
}

func (m *matcher) response(want, got Alternative, where string, control bool) []Difference {
	if control {
		// How a server is provoked isn't compared: only whether it accepts or refuses.
		if want.Status/100 == got.Status/100 || slices.Contains(want.Also, got.Status) {
			return nil
		}
	}
	if want.Status != got.Status {
		if slices.Contains(want.Also, got.Status) {
			return nil // of another status, the golden's headers and frames say nothing
		}
		return []Difference{{where + ", status", strconv.Itoa(want.Status), strconv.Itoa(got.Status)}}
	}
	var out []Difference
	for _, h := range want.ResponseHeaders {
		if want.Status >= 400 && h.Name == "content-type" {
			continue // of an error, how it is written is the server's own, too
		}
		if !headerContains(h, got.ResponseHeaders) {
			out = append(out, Difference{where + ", header " + h.Name, strconv.Quote(h.Value), headerText(h.Name, got.ResponseHeaders)})
		}
	}
	if want.Status < 400 { // the wording of an error is the server's own
		out = append(out, m.answer(want.Answer, got.Answer, where+", answer")...)
	}
	out = append(out, m.frames(want.Frames, got.Frames, where)...)
	if want.End != got.End && !(ours(want.End) && (ours(got.End) || got.End == ServerCloses && m.freedoms.mayClose(got.Frames))) {
		out = append(out, Difference{where + ", end", want.End, got.End})
	}
	return out
}

// ours reports whether it was the client that decided about the end.
func ours(end string) bool { return end == ClientCloses || end == StillOpen }

// mayClose reports whether a server may close the stream where the golden keeps it open: after a frame with the reason.
func (f *Freedoms) mayClose(frames [][]byte) bool {
	if len(frames) == 0 {
		return false
	}
	last := f.readEvent(frames[len(frames)-1])
	status := last.payload.get("status")
	needed, closes := f.Closes[last.kind]
	return closes && (needed == "" || status != nil && status.text == needed)
}

func headerText(name string, headers []Header) string {
	for _, h := range headers {
		if h.Name == name {
			return strconv.Quote(h.Value)
		}
	}
	return ""
}

// headerContains reports whether one of the headers has the effect of the golden's.
func headerContains(want Header, headers []Header) bool {
	return slices.ContainsFunc(headers, func(got Header) bool {
		if got.Name != want.Name {
			return false
		}
		switch want.Name {
		case "www-authenticate":
			return true
		case "access-control-allow-origin":
			return got.Value == want.Value || got.Value == "*" || want.Value == "*"
		case "allow":
			return containsAll(got.Value, want.Value)
		case "cache-control":
			uncached := func(v string) bool { return containsAll(v, "no-cache") || containsAll(v, "no-store") }
			return got.Value == want.Value || uncached(got.Value) && uncached(want.Value)
		}
		return got.Value == want.Value
	})
}

// containsAll reports whether a comma-separated list has every item of another.
func containsAll(have, want string) bool {
	items := strings.Split(list(have, ","), ", ")
	for item := range strings.SplitSeq(list(want, ","), ", ") {
		if !slices.Contains(items, item) {
			return false
		}
	}
	return true
}

func (m *matcher) answer(want, got []byte, where string) []Difference {
	w, ok := decode(want)
	if !ok {
		if string(want) == string(got) || len(want) == 0 {
			return nil
		}
		return []Difference{{where, strconv.Quote(string(want)), strconv.Quote(string(got))}}
	}
	g, ok := decode(got)
	if !ok {
		return []Difference{{where, w.String(), strconv.Quote(string(got))}}
	}
	c := comparison{matcher: m, extras: 1 << 20}
	c.snapshot = w.get("state") != nil && w.get("messages") != nil && w.get("streamSequence") != nil
	c.value(w, g, where, 0)
	return c.found
}
