package schemas_test

import (
	"fmt"
	"log"

	"github.com/streamcert/streamcert/schemas"
)

func Example() {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		log.Fatal(err)
	}
	frame := `{"type":"chunk","sequence":3,"chunk":{"type":"text_delta","agentId":"a","timestamp":1733310000000}}`
	for _, profile := range []schemas.Profile{schemas.Strict, schemas.Lenient} {
		for _, f := range set.Frame(profile, []byte(frame)).Findings {
			fmt.Println(profile, f.Requirement, f.Message)
		}
	}
	// Output:
	// strict helix.chunks.members member `chunk/delta` is missing
	// strict helix.chunks.agent-type member `chunk/agentType` is missing
	// lenient helix.chunks.members member `chunk/delta` is missing
}
