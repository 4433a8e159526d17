package merlin

import (
	"fmt"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// The rules that a server breaks which can't read a spelling. None speaks of the ways in which JSON may be written.
const (
	partial = "merlin.upstream.cut"   // it accepts a part of an event
	noise   = "merlin.upstream.noise" // other bytes around an event hide it
)

// spelling is another way to write an event of the model.
type spelling struct{ name, event, rule string }

// spellings are the spellings that the standards of events and JSON allow: the last ones have white space, escapes in
// names, and additional members of providers. After lines that end in CR a comment shows that no LF follows: a reader may
// wait for one.
var spellings = []spelling{
	{"lines that end in CRLF", "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\r\n\r\n", partial},
	{"no space behind data", "data:{\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", partial},
	{"two lines of data", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"%s\"}}]}\n\n", partial},
	{"a comment and an id before data", ": ping\nid: 7\ndata: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", noise},
	{"a comment and an id behind data", "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n: ping\nid: 7\n\n", noise},
	{"two lines of data that end in CRLF", "data: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"%s\"}}]}\r\n\r\n", partial},
	{"lines that end in CR", "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\r\r:\r", partial},
	{"fields other than data", "retry: 3000\nnote: data: {}\ndata: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", noise},
	{"white space and escapes in JSON", "data: { \"choices\" : [ { \"\\u0064elta\" : { \"c\\u006fntent\" : \"%s\" } } ] }\n\n", ""},
	{"members that are null", "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"error\":null,\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"%s\",\"refusal\":null,\"reasoning\":null,\"citation\":null,\"tool_calls\":null},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n", ""},
}

// spell makes the model write an event in one of the spellings, and in version 1 text with the server's syntax.
func (w *writer) spell(o Operation) {
	if w.script.Version == 1 && o.Choice%3 == 0 {
		w.text(fmt.Sprintf("[citation: 1: %d]", w.texts))
	}
	said := fmt.Sprintf("spelling %d, not [DONE]", w.texts) // which ends a stream only where it is all of an event
	if o.Choice%3 == 1 {
		said += " \u2028 \u0085 \u2029 " // as they are, where others write an escape: they end lines in some libraries, and none in an event
	}
	said += strings.Repeat(".", o.Choice/len(spellings)%3) // so that pieces of one length cut its line ends elsewhere
	way := spellings[o.Choice%len(spellings)]
	written := said
	if strings.Contains(way.event, `\u0064`) { // needless escapes, and one after a backslash that is none
		written, said = said+` \/\u00e9\ud83d\ude00 \\ud83d`, said+` /é😀 \ud83d`
	}
	if slices.Contains(w.usual, way.name) {
		way = spelling{event: "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n"}
	}
	w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(way.event, written), Texts: []string{said}, Spelling: way.name})
	if o.Choice%2 == 0 { // and its usage in the event of its last words
		last := fmt.Sprintf("last words %d", w.texts)
		const event = "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}],\"usage\":{\"last_tokens\":%d}}\n\n"
		w.addStep(model.ScriptStep{Bytes: fmt.Sprintf(event, last, w.texts), Texts: []string{last}, Uses: map[string]any{"last_tokens": float64(w.texts)}})
	}
}
