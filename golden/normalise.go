package golden

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Normalise returns the transcript as goldens show it: JSON in one spelling, known literals and free choices as
// placeholders, only the headers that a requirement constrains, no comments and no retry lines. It is idempotent. Equal
// values stay equal and distinct values stay distinct, except that it takes text which is already spelled as a placeholder
// for one. It doesn't change its argument.
func (f Freedoms) Normalise(t Transcript, b Bindings) Transcript {
	n := normaliser{
		freedoms: &f,
		literals: b.literals(),
		scripted: make(map[int64]int64, len(b.Timestamps)),
		produced: b.Produced,
		free:     map[freeChoice]string{},
		bound:    map[string]string{},
		stamps:   map[string]int{},
		used:     map[string]int{},
	}
	for _, ms := range b.Timestamps {
		shown := Epoch + ms - b.Timestamps[0]
		n.scripted[ms], n.scripted[shown] = shown, shown
	}
	n.reserve(t)
	out := t
	out.Exchanges = nil
	for _, e := range t.Exchanges {
		out.Exchanges = append(out.Exchanges, n.exchange(e))
	}
	return out
}

type freeChoice struct{ class, text string }

type normaliser struct {
	freedoms *Freedoms             // of the pack
	literals []literal             // the longest first
	scripted map[int64]int64       // shown timestamps by written ones
	produced bool                  // the server made the stream's chunks
	free     map[freeChoice]string // → placeholder
	bound    map[string]string     // text of a free choice → the placeholder that it got first
	stamps   map[string]int        // frame and timestamp → number of its placeholder
	used     map[string]int        // class → highest number in use

	latest   int64 // greatest timestamp of the exchange so far
	latestNo int   // number of its placeholder
}

// reserve avoids placeholders that the transcript already contains.
func (n *normaliser) reserve(t Transcript) {
	see := func(s string) {
		for _, token := range placeholder.FindAllString(s, -1) {
			if !n.freedoms.isFree(token) {
				continue
			}
			class, number := tokenParts(token)
			n.used[class] = max(n.used[class], number)
		}
	}
	for _, e := range t.Exchanges {
		see(e.Path)
		see(string(e.Body))
		see(string(e.Answer))
		for _, frame := range e.Frames {
			see(string(frame))
		}
	}
}

func (n *normaliser) exchange(e Exchange) Exchange {
	n.latest, n.latestNo = 0, 0
	e.Heading = inText.replace(e.Heading, n.literals)
	e.Path = n.path(e.Path)
	e.Headers = n.headers(e.Headers)
	e.Body = n.document(e.Body, false)
	e.ResponseHeaders = n.headers(e.ResponseHeaders)
	frames := e.Frames
	e.Frames = nil
	for _, frame := range frames {
		if kept, ok := n.frame(frame); ok {
			e.Frames = append(e.Frames, kept)
		}
	}
	e.Answer = n.document(e.Answer, true)
	return e
}

// path replaces literals, and bound free choices that are a complete segment or query value.
func (n *normaliser) path(path string) string {
	var b strings.Builder
	for path != "" {
		i := strings.IndexAny(path, "/?&=")
		segment, mark := path, ""
		if i >= 0 {
			segment, mark = path[:i], path[i:i+1]
		}
		path = path[len(segment)+len(mark):]
		token, ok := "", false
		if plain, err := url.PathUnescape(segment); err == nil {
			token, ok = n.bound[jsonText(plain)]
		}
		if !ok {
			token = inPath.replace(segment, n.literals)
		}
		b.WriteString(token)
		b.WriteString(mark)
	}
	return b.String()
}

func (n *normaliser) headers(headers []Header) []Header {
	var out []Header
	for _, h := range headers {
		name := lower(strings.Trim(h.Name, " \t"))
		if !n.freedoms.constrains(name) {
			continue
		}
		text := strings.Trim(h.Value, " \t")
		switch name {
		case "content-type":
			text = mediaType(text)
		case "cache-control":
			text = lower(list(text, ","))
		default:
			text = inText.replace(text, n.literals)
		}
		out = append(out, Header{name, text})
	}
	slices.SortStableFunc(out, func(a, b Header) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// list writes the items of a separated list with one space between them.
func list(text, separator string) string {
	var items []string
	for item := range strings.SplitSeq(text, separator) {
		if item = strings.Trim(item, " \t"); item != "" {
			items = append(items, item)
		}
	}
	return strings.Join(items, separator+" ")
}

func mediaType(text string) string {
	items := strings.Split(list(text, ";"), "; ")
	items[0] = lower(items[0])
	return strings.Join(slices.DeleteFunc(items, func(item string) bool {
		item = lower(item)
		return item == "charset=utf-8" || item == `charset="utf-8"`
	}), "; ")
}

// lower is for ASCII only: names of headers and tokens, and bytes that aren't text stay as they are.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// document normalises a body. In a response, free choices are bound; in a request only bound ones are replaced.
func (n *normaliser) document(body []byte, answered bool) []byte {
	if len(body) == 0 {
		return nil
	}
	v, ok := decode(body)
	if !ok {
		text := inText.replace(string(body), n.literals)
		if v, ok = decode([]byte(text)); !ok {
			return []byte(text)
		}
	}
	n.substituteLiterals(&v)
	if answered {
		n.bind(&v, n.freedoms.IDs)
		n.bindParts(&v)
		n.stamp(&v, &v, "answer")
	} else {
		n.recall(&v)
	}
	return v.append(nil)
}

// frame normalises one block; ok is false when nothing but comments was in it.
func (n *normaliser) frame(frame []byte) (_ []byte, ok bool) {
	lines, dropped := withoutComments(splitLines(string(frame)))
	if dropped && !slices.ContainsFunc(lines, func(l line) bool { return l.text != "" }) {
		return nil, false
	}
	data, single := parts(lines)
	id := ""
	for i, l := range lines {
		if name, val := l.field(); name == "id" {
			id = val
		}
		if !slices.Contains(data, i) {
			lines[i].text = inText.replace(l.text, n.literals)
		}
	}
	v, isJSON := decode([]byte(joinData(lines, data)))
	if !isJSON || !single {
		for _, i := range data {
			lines[i].text = inText.replace(lines[i].text, n.literals)
		}
		v, isJSON = decode([]byte(joinData(lines, data)))
	}
	if !isJSON || !single {
		return joinLines(lines), true
	}
	n.payload(&v, id)
	// A payload that came on several lines keeps their number: the value is the same, the split stays visible.
	for at, i := range data {
		text := lines[i].prefix() + v.String()
		if at > 0 {
			text = "data:"
		}
		lines[i].text = text
	}
	return joinLines(lines), true
}

func (n *normaliser) payload(v *value, id string) {
	n.substituteLiterals(v)
	n.bind(v, n.freedoms.IDs)
	n.bindNested(v)
	if chunk := v.get(n.freedoms.Chunk); n.freedoms.Chunk != "" && chunk != nil && n.produced {
		n.bind(chunk, n.freedoms.ChunkIDs)
		n.stamp(v, chunk, "chunk "+id)
	}
	if n.produced && v.get("event") != nil {
		n.event(v)
	}
	n.stamp(v, v, "frame "+id)
}

func (n *normaliser) substituteLiterals(v *value) {
	if len(n.literals)+len(n.scripted) == 0 {
		return
	}
	switch v.kind {
	case kindString:
		v.text = inJSON.replace(v.text, n.literals)
	case kindArray:
		for i := range v.items {
			n.substituteLiterals(&v.items[i])
		}
	case kindObject:
		for i := range v.members {
			v.members[i].name = inJSON.replace(v.members[i].name, n.literals)
			n.substituteLiterals(&v.members[i].value)
			if v.members[i].name == "timestamp" {
				n.known(&v.members[i].value)
			}
		}
		v.sort()
	}
}

// bind replaces ids that the server chose by placeholders: the same for the same id, a new one for a new one. An empty id
// stays, since it is no id, and so does one that contains a placeholder.
func (n *normaliser) bind(v *value, classes map[string]string) {
	for i := range v.members {
		class, ok := classes[v.members[i].name]
		id := &v.members[i].value
		if !ok || id.kind != kindString || id.text == "" || placeholder.MatchString(id.text) {
			continue
		}
		token, ok := n.free[freeChoice{class, id.text}]
		if !ok {
			n.used[class]++
			token = "{" + class + "}"
			if n.used[class] > 1 {
				token = "{" + class + strconv.Itoa(n.used[class]) + "}"
			}
			n.free[freeChoice{class, id.text}] = token
			if _, known := n.bound[id.text]; !known {
				n.bound[id.text] = token
			}
		}
		id.text = token
	}
}

// bindNested binds ids at any depth of a frame.
func (n *normaliser) bindNested(v *value) {
	if len(n.freedoms.NestedIDs) == 0 {
		return
	}
	n.bind(v, n.freedoms.NestedIDs)
	for i := range v.items {
		n.bindNested(&v.items[i])
	}
	for i := range v.members {
		n.bindNested(&v.members[i].value)
	}
}

// bindParts binds the ids in the messages of a snapshot.
func (n *normaliser) bindParts(snapshot *value) {
	messages := snapshot.get("messages")
	if !n.produced || messages == nil {
		return
	}
	for i := range messages.items {
		parts := messages.items[i].get("parts")
		if parts == nil {
			continue
		}
		for j := range parts.items {
			n.bind(&parts.items[j], n.freedoms.ChunkIDs)
		}
	}
}

// event binds the ids of an event, and those in the content that it repeats.
func (n *normaliser) event(v *value) {
	n.bind(v, n.freedoms.EventIDs)
	content := v.get("content")
	if content == nil {
		return
	}
	for i := range content.items {
		n.bind(&content.items[i], n.freedoms.EventIDs)
	}
}

// recall replaces ids in a request that the server assigned by the placeholders bound to them.
func (n *normaliser) recall(v *value) {
	for i := range v.items {
		n.recall(&v.items[i])
	}
	for i := range v.members {
		id := &v.members[i].value
		class, ok := n.freedoms.IDs[v.members[i].name]
		if n.produced && !ok {
			class, ok = n.freedoms.RequestIDs[v.members[i].name]
		}
		if token, known := n.free[freeChoice{class, id.text}]; ok && known && id.kind == kindString {
			id.text = token
			continue
		}
		if n.produced {
			n.recall(id)
		}
	}
}
