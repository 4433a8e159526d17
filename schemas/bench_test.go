package schemas

import "testing"

func BenchmarkFrame(b *testing.B) {
	s := load(b)
	for _, test := range []struct{ name, data string }{
		{"text_delta", `{"type":"chunk","chunk":{"type":"text_delta","delta":"Hello, ","agentId":"run-abc123","agentType":"assistant","timestamp":1702329600000,"step":1},"sequence":17}`},
		{"tool_end", `{"type":"chunk","chunk":{"type":"tool_end","toolCallId":"c1","toolName":"find","success":true,"result":{"a":[1,2]},` + common + `},"sequence":17}`},
		{"state_patch", `{"type":"chunk","chunk":{"type":"state_patch","patches":[{"op":"add","path":"/a/-","value":{"b":1}}],` + common + `},"sequence":17}`},
		{"invalid", `{"type":"chunk","chunk":{"type":"text_delta",` + common + `},"sequence":17}`},
	} {
		data := []byte(test.data)
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				s.Frame(Strict, data)
			}
		})
	}
}
