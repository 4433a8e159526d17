package helix_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// A frame is the data of one event of the stream.
func ExampleAppendFrame() {
	chunk := json.RawMessage(`{"type":"text_delta","agentId":"a","timestamp":1,"step":1,"delta":"Hello"}`)
	fmt.Printf("%s", helix.AppendFrame(nil, store.Event{Kind: store.ChunkWritten, Sequence: 7, Chunk: store.Chunk{JSON: chunk}}))
	// Output: {"type":"chunk","sequence":7,"chunk":{"type":"text_delta","agentId":"a","timestamp":1,"step":1,"delta":"Hello"}}
}
