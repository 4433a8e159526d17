package wire

import "sync"

// pools are the buffers that no body is read into now, of bufferSize, of twice as much, and so on. Large blocks come one
// after another, to one reader after another: making and clearing a buffer for each would cost more than reading it.
var pools [9]sync.Pool

// poolOf returns the pool of buffers of a size, nil if there is none.
func poolOf(size int) *sync.Pool {
	for i := range pools {
		if size == bufferSize<<i {
			return &pools[i]
		}
	}
	return nil
}

// borrowed returns a buffer of a size, with arbitrary content.
func borrowed(size int) []byte {
	if p := poolOf(size); p != nil {
		if b, is := p.Get().(*[]byte); is {
			return *b
		}
	}
	return make([]byte, size)
}

// lend returns a buffer for reuse.
func lend(b []byte) {
	if p := poolOf(len(b)); p != nil {
		p.Put(&b)
	}
}
