package stream_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// The model is told what the server accepted, and judges each frame that a reader received.
func Example() {
	s := stream.New(model.OccasionCounts{}, stream.FamilyOf("f"), "1")
	for n := 1; n <= 2; n++ {
		s.Write(&stream.Chunk{Marker: s.Marker(n), Body: body(s.Marker(n), 1), Step: 1})
	}
	reader := s.Attach(stream.Position{}, false)
	fmt.Println(reader.Expected())

	second := fmt.Sprintf(`{"type":"chunk","chunk":%s,"sequence":2}`, body(s.Marker(2), 1))
	_, err := reader.Take(stream.Frame{ID: "2", HasID: true, Data: []byte(second)})
	fmt.Println(err)
	// Output:
	// mark-f-1-1
	// a chunk was left out, or came in another order: want mark-f-1-1, got mark-f-1-2
}
