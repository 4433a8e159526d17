package aep

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/aep"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// messages are other ways to divide a response into messages of the agent.
func messages() []Variant {
	return []Variant{
		{Name: "a-message-a-tool", Freedom: "messages of a response", Apply: on.OnJournal(severalMessages),
			Summary: "What follows the result of a tool is another message, with indexes of its own, and done has the last one."},
	}
}

// severalMessages ends the message of the agent after each result of a tool. Ids of blocks repeat from message to message.
func severalMessages(aep.Request) func(aep.Event) []aep.Event {
	number, ended := 0, false
	content := []aep.Block{}
	return func(e aep.Event) []aep.Event {
		switch {
		case e.Stage == aep.Start:
			if ended {
				number, ended, content = number+1, false, []aep.Block{}
			}
			e.BlockIndex = len(content)
			content = append(content, e.Block)
		case e.Stage == aep.Stop:
			content[len(content)-1] = e.Block
			ended = e.Kind == aep.ToolResult
		case e.Kind == aep.Done:
			e.Content = content
		}
		if e.Kind.Staged() {
			e.BlockID = fmt.Sprintf("block-%d", len(content)-1)
		}
		if e.MessageID != "" && number > 0 {
			e.MessageID = fmt.Sprintf("%s.%d", e.MessageID, number)
		}
		return []aep.Event{e}
	}
}
