package launch

import (
	"bytes"
	"sync"
)

// mostOutput is how many bytes of a server's last output are kept.
const mostOutput = 16 << 10

// tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

// Write never fails: a server must not stop because nobody listens.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-mostOutput):]...)
	if over := len(t.kept) - mostOutput; over > 0 || len(b) > mostOutput {
		t.kept, t.cut = bytes.Clone(t.kept[max(0, over):]), true
	}
	return len(b), nil
}

// String returns the text that was kept, from the beginning of a line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if !t.cut {
		return string(kept)
	}
	if i := bytes.IndexByte(kept, '\n'); i >= 0 && i < len(kept)-1 {
		kept = kept[i+1:]
	}
	return "…\n" + string(kept)
}
