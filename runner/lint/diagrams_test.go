package lint

import "testing"

func TestDiagrams(t *testing.T) {
	drawn := func(lines string) func(*testing.T, *kit) {
		return edit(echo, "As in the", "```mermaid\n"+lines+"\n```\n\nAs in the")
	}
	const no = " names no requirement, expected its id after a middle dot"
	runAll(t, []red{
		{"a flowchart", drawn("flowchart LR\n  a[A] -->|\"call · echo.same, echo.loud\"| b\n  b -.->|call again · echo.same| a"), nil},
		{"a state diagram", drawn("stateDiagram-v2\n  [*] --> silent\n  silent --> loud: call · echo.loud"), []string{
			echo + `:5: the arrow ""` + no}},
		{"a sequence diagram", drawn("sequenceDiagram\n  participant S as Server\n  R->>S: call · echo.same\n  S-->>R: echo · toy.echo.loud\n  Note over S: hm"), nil},
		{"a reader's rule", drawn("sequenceDiagram\n  S-->>R: echo · echo.heard"), nil},
		{"no id", drawn("flowchart LR\n  a -->|\"call\"| b"), []string{echo + `:5: the arrow "call"` + no}},
		{"no label", drawn("flowchart LR\n  a --> b"), []string{echo + `:5: the arrow ""` + no}},
		{"a message without id", drawn("sequenceDiagram\n  S-->>R: echo, far away"), []string{echo + `:5: the arrow "echo, far away"` + no}},
		{"words at the end", drawn("stateDiagram-v2\n  a --> b: call · echo.same · and wait"), []string{
			echo + `:5: the arrow "call · echo.same · and wait"` + no}},
		{"an id of nothing", drawn("stateDiagram-v2\n  a --> b: call · echo.lost"), []string{
			echo + `:5: the arrow "call · echo.lost" names echo.lost, which is no requirement`}},
		{"an id that no scenario proves", drawn("stateDiagram-v2\n  a --> b: call · echo.far"), []string{
			echo + `:5: the arrow "call · echo.far" names echo.far, which no scenario proves`}},
		{"another kind", drawn("pie\n  \"a\" : 1"), []string{
			echo + `:4: the diagram begins with "pie", expected flowchart, stateDiagram-v2 or sequenceDiagram`}},
		{"no diagram", drawn("flowchart LR\n```\n\n```\na --> b"), nil},
		{"of all packs", func(t *testing.T, k *kit) {
			k.files["spec/README.md"] += "\n```mermaid\nsequenceDiagram\n  S->>R: echo · echo.same\n  S->>R: echo · toy.echo.lost\n```\n"
		}, []string{`spec/README.md:6: the arrow "echo · toy.echo.lost" names toy.echo.lost, which is no requirement`}},
	})
}
