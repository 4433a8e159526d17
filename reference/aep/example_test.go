package aep_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/aep"
)

// A body is decoded as strictly as the spec asks for; an error names the member.
func ExampleDecode() {
	_, err := aep.Decode([]byte(`{"messages": [{"role": "user", "content": 7}]}`))
	fmt.Println(err)
	// Output: /messages/0/content is neither an array of blocks nor a string
}
