package data

import "github.com/streamcert/streamcert/runner/campaign"

// CallResults lists results of calls that a client returns, as JSON, falsy ones too.
var CallResults = []string{`{"from":"the client"}`, `0`, `false`, `""`, `[]`, `{}`, `null`, `"7"`, `" x "`, `[null,"{\u0022a\u0022:1}"]`}

// falsy lists outputs that a program may take for none.
var falsy = []any{"", nil, 0.0, false, []any{}, map[string]any{}}

// FinalOutput returns the output as JSON of the nth stream that ends, from 1, nil for none. Any value is an output.
func FinalOutput(n, written int, text string) []byte {
	values := campaign.Values()
	value := values[(written+n-1)%len(values)]
	emitted := Encode(map[string]any{"said": text, "values": value})
	switch n % 5 {
	case 0:
		return Encode(falsy[(n/5+written)%len(falsy)])
	case 1:
		return emitted
	case 2:
		return Encode(string(emitted)) // a text of JSON
	case 3:
		return Encode(value)
	}
	return nil
}
