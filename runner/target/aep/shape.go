package aep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// placeholder is replaced by the text of a message in Config.Input.
const placeholder = `"{text}"`

// ErrBlocks reports that Config.Input can't express a message with blocks other than text.
var ErrBlocks = errors.New("the shape of a message (aep.input) has no place for a block that isn't text")

// object is a JSON object whose members keep their bytes.
type object = map[string]json.RawMessage

// Shaped returns a request in the names and shapes of the target. The body is a JSON object in those of the specification,
// and stays as it is where the config has no others. It fails with ErrBlocks, or on a body that is no request.
func (c Config) Shaped(body []byte) ([]byte, error) {
	if c.Input == "" && c.Result == result {
		return body, nil
	}
	var request object
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, fmt.Errorf("shaping a request: %w", err)
	}
	if c.Input != "" && request["messages"] != nil {
		messages, err := c.messages(request["messages"])
		if err != nil {
			return nil, err
		}
		request["messages"] = messages
	}
	var handed object
	if json.Unmarshal(request["context"], &handed) == nil && handed["actionResults"] != nil {
		handed["actionResults"] = c.Results(handed["actionResults"])
		request["context"] = written(handed)
	}
	return written(request), nil
}

// result is the default of Config.Result.
const result = "result"

// Results translates the results of actions into the names of the target. Other values than arrays of action results are
// returned unchanged.
func (c Config) Results(raw []byte) []byte {
	var results []object
	if c.Result == result || json.Unmarshal(raw, &results) != nil {
		return raw
	}
	for _, r := range results {
		if value, ok := r[result]; ok {
			delete(r, result)
			r[c.Result] = value
		}
	}
	return written(results)
}

// messages writes the text of each message in the shape that the config declares.
func (c Config) messages(raw []byte) ([]byte, error) {
	var messages []struct {
		Content []struct{ Type, Text string }
	}
	if err := json.Unmarshal(raw, &messages); err != nil {
		return nil, fmt.Errorf("shaping messages: %w", err)
	}
	out := make([]json.RawMessage, 0, len(messages))
	for _, m := range messages {
		text := ""
		for _, block := range m.Content {
			if block.Type != "text" {
				return nil, ErrBlocks
			}
			text += block.Text
		}
		out = append(out, bytes.Replace([]byte(c.Input), []byte(placeholder), written(text), 1))
	}
	return written(out), nil
}

// written returns the compact JSON of a decoded value.
func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
