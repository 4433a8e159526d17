package provider

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"
)

// writeDocument answers in one document. A body that is interrupted, or has no end, is interrupted in this form as well.
func (p *Provider) writeDocument(w http.ResponseWriter, r *http.Request, a stepRequest, step Step) {
	var text, thought, refused strings.Builder
	var calls []any
	for _, action := range step.Actions {
		switch action := action.(type) {
		case Text:
			text.WriteString(string(action))
		case Thinking:
			thought.WriteString(string(action))
		case Refusal:
			refused.WriteString(string(action))
		case Echo:
			text.WriteString(a.echo(string(action)))
		case Delta:
			text.WriteString(action.text())
		case Call:
			calls = append(calls, map[string]any{"id": callID(a.script.name, action.Tool), "type": "function",
				"function": map[string]any{"name": action.Name, "arguments": action.Arguments}})
		case Await, Stall:
			if !a.waits(r, action) {
				return
			}
		case Disconnect, Close:
			closeMidBody(w, []byte(`{"id":"`+a.id()+`","object":"chat.compl`))
			return
		case Break:
			action.Fault.answer(w)
			return
		}
	}
	said := map[string]any{"role": "assistant", "content": orNull(text.String()), "refusal": orNull(refused.String())}
	if thought.Len() > 0 {
		said["reasoning_content"] = thought.String()
	}
	if calls != nil {
		said["tool_calls"] = calls
	}
	document(w, http.StatusOK, encode(map[string]any{
		"id": a.id(), "object": "chat.completion", "created": created, "model": a.model(), "system_fingerprint": nil,
		"choices": []any{map[string]any{"index": 0, "message": said, "logprobs": nil, "finish_reason": step.finish()}},
		"usage":   usage(step, a.request),
	}))
}

// closeMidBody ends the connection in the middle of a body.
func closeMidBody(w http.ResponseWriter, started []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(started)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// id returns the id of a completion: the same for the same step.
func (a stepRequest) id() string { return callID("chatcmpl-"+a.script.name, a.step)[len("call_"):] }

// model returns the model that the answer names: the requested one, or modelName if the request names none.
func (a stepRequest) model() string {
	if a.Model == "" {
		return modelName
	}
	return a.Model
}

// usage counts words as tokens.
func usage(step Step, q request) json.RawMessage {
	in, out, thought := 0, 0, 0
	for _, m := range q.Messages {
		in += len(strings.Fields(string(m.Content)))
	}
	for _, action := range step.Actions {
		switch action := action.(type) {
		case Text:
			out += len(words(string(action)))
		case Thinking:
			thought += len(words(string(action)))
		case Refusal:
			out += len(words(string(action)))
		case Call:
			out += 1 + len(action.Arguments)/fragment
		}
	}
	return encode(map[string]any{
		"prompt_tokens": in, "completion_tokens": out + thought, "total_tokens": in + out + thought,
		"completion_tokens_details": map[string]any{"reasoning_tokens": thought},
	})
}

// words cuts a text before each space that follows something else, so that the pieces joined are the text. An empty text is
// one empty piece: a provider may send one.
func words(text string) []string {
	var pieces []string
	begin := 0
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] != ' ' {
			pieces = append(pieces, text[begin:i])
			begin = i
		}
	}
	return append(pieces, text[begin:])
}

// fragment limits the bytes of a call's arguments in one event.
const fragment = 12

// fragments cuts arguments between characters; no arguments are no pieces.
func fragments(text string) []string {
	var pieces []string
	for len(text) > fragment {
		n := fragment
		for n > 1 && !utf8.RuneStart(text[n]) {
			n--
		}
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	if text != "" {
		pieces = append(pieces, text)
	}
	return pieces
}
