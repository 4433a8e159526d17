package golden_test

import (
	"fmt"

	"github.com/streamcert/streamcert/golden"
)

func ExampleFormat() {
	seen := golden.Transcript{
		Name:  "helix.resume.after-cursor",
		Title: "Resuming after event 2",
		Exchanges: []golden.Exchange{{
			Heading: "the client resumes after event 2",
			Method:  "GET", Path: "/streams/s-81/events",
			Headers:         []golden.Header{{Name: "Last-Event-ID", Value: "2"}, {Name: "User-Agent", Value: "any"}},
			Status:          200,
			ResponseHeaders: []golden.Header{{Name: "Content-Type", Value: "text/event-stream; charset=utf-8"}},
			Frames: [][]byte{
				[]byte(": a comment\n\n"),
				[]byte("id: 3\ndata: {\"type\":\"chunk\", \"sequence\":3.0}\n\n"),
				[]byte("data: {\"type\":\"end\",\"streamId\":\"s-81\",\"timestamp\":1750000000000}\r\n"),
			},
			End: golden.ServerCloses,
		}},
	}
	freedoms := golden.Freedoms{Headers: []string{"content-type", "last-event-id"}}
	known := golden.Bindings{Literals: map[string]string{"s-81": "{stream}"}}
	fmt.Printf("%s", golden.Format(golden.File{
		Transcripts: []golden.Transcript{freedoms.Normalise(seen, known)},
	}))
	// Output:
	// # helix.resume.after-cursor · Resuming after event 2
	// == the client resumes after event 2
	// > GET /streams/{stream}/events
	// > last-event-id: 2
	// < 200
	// < content-type: text/event-stream
	// id: 3
	// data: {"sequence":3,"type":"chunk"}
	//
	// data: {"streamId":"{stream}","timestamp":{ts1},"type":"end"}\<CR>
	// \<end>
	// == server closes
}

func ExampleParse() {
	_, err := golden.Parse("golden/helix/x.txt", []byte("# helix.x.y · A title\n== a request\n< ok\n"))
	fmt.Println(err)
	// Output:
	// golden/helix/x.txt:3: expected a status like "< 200" or "< 200 | 204", found "< ok"
}

func ExampleFreedoms_Compare() {
	freedoms := golden.Freedoms{Sequences: []string{"sequence"}, Type: "type", Chunk: "chunk"}
	want, _ := golden.Parse("want", []byte("# a.b.c\n== read\n< 200\nid: 1\ndata: {\"chunk\":{\"delta\":\"a\"},\"sequence\":1,\"type\":\"chunk\"}\n\n"))
	got, _ := golden.Parse("got", []byte("# a.b.c\n== read\n< 200\nid: 10\ndata: {\"chunk\":{\"delta\":\"b\",\"more\":1},\"sequence\":10,\"type\":\"chunk\"}\n\n"))
	for _, d := range freedoms.Compare(want.Transcripts[0], got.Transcripts[0]) {
		fmt.Println(d)
	}
	// Output:
	// exchange 1 (read), frame 1, /chunk/delta: want "a", got "b"
}
