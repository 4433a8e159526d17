package wire

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func BenchmarkReader(b *testing.B) {
	small := `{"type":"chunk","chunk":{"type":"text_delta","agentId":"run-1","agentType":"a","timestamp":1702329600002,"delta":"c"},"sequence":3}`
	for name, data := range map[string]string{"small": small, "large": strings.Repeat("x", 64<<10)} {
		for end, nl := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
			b.Run(name+"/"+end, func(b *testing.B) {
				block := fmt.Sprintf("id: 3%sdata: %s%s%s", nl, data, nl, nl)
				b.SetBytes(int64(len(block)))
				b.ReportAllocs()
				r := NewReader(&endless{pattern: block, n: int64(b.N * len(block))}, Options{})
				b.ResetTimer()
				n := 0
				for ; ; n++ {
					if _, err := r.Next(); err != nil {
						if err != io.EOF || n != b.N {
							b.Fatal(n, err)
						}
						break
					}
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}
