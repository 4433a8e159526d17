package wire_test

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

func Example() {
	body := ": hello\n\nid: 1\ndata: {\"type\":\"end\"}\n\ndata: cut"
	r := wire.NewReader(strings.NewReader(body), wire.Options{})
	for {
		f, err := r.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d, bytes %d-%d, dispatched %t, id %q, data %q\n", f.Line, f.Offset, f.End, f.Dispatched(), f.ID, f.Data)
		for _, v := range f.Violations {
			fmt.Printf("  %s at byte %d\n", v.Kind, v.Offset)
		}
	}
	// Output:
	// line 1, bytes 0-9, dispatched false, id "", data ""
	// line 3, bytes 9-37, dispatched true, id "1", data "{\"type\":\"end\"}"
	// line 6, bytes 37-46, dispatched false, id "", data "cut"
	//   unterminated at byte 46
	// EOF
}
