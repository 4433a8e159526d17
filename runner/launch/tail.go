package launch

import (
	"bytes"
	"sync"
)

// mostOutput limits the stored output of a server, in bytes.
const mostOutput = 16 << 10

// tail stores the end of the data that is written to it. It is safe for concurrent use.
type tail struct {
	mu        sync.Mutex
	stored    []byte
	shortened bool
}

// Write never fails: an error would stop the server.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stored = append(t.stored, b[max(0, len(b)-mostOutput):]...)
	if over := len(t.stored) - mostOutput; over > 0 || len(b) > mostOutput {
		t.stored, t.shortened = bytes.Clone(t.stored[max(0, over):]), true
	}
	return len(b), nil
}

// mostSecret is the number of bytes of a truncated line that aren't shown.
const mostSecret = 512

// String returns the text that was stored, from the beginning of a line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.stored
	if !t.shortened {
		return string(kept)
	}
	i := bytes.IndexByte(kept, '\n')
	if i < 0 || i == len(kept)-1 { // one line, which may begin within a secret
		i = min(mostSecret, len(kept)) - 1
	}
	kept = kept[i+1:]
	return "…\n" + string(kept)
}
