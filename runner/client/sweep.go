package client

import (
	"sync"
	"unicode/utf8"
)

// SplitPoint is a position in the bytes of a frame at which a disconnect is likely to matter.
type SplitPoint struct {
	At          int  // bytes before it, above 0
	InCharacter bool // it lies inside a character; otherwise after a line
}

// SplitPoints returns the positions of a frame after each line and inside each character, in order.
func SplitPoints(raw []byte) []SplitPoint {
	var out []SplitPoint
	for i := 1; i < len(raw); i++ {
		within := !utf8.RuneStart(raw[i])
		if within || raw[i-1] == '\n' || raw[i-1] == '\r' {
			out = append(out, SplitPoint{i, within})
		}
	}
	return out
}

// Progress is the result of one connection of a sweep.
type Progress int

// The results of a connection.
const (
	Nothing Progress = iota // no event that the client didn't have
	Some                    // at least one
	Over                    // the stream is read to its end
)

// Cuts is a client that reads a stream to its end, and disconnects on the way.
type Cuts struct {
	// Next returns the number of body bytes after which the client closes the connection that
	// follows so many others; 0 never closes it.
	Next func(connections int) int64
	// Connect makes a connection, reads until it is closed or ends, and returns the progress.
	Connect func(after int64) (Progress, error)
	// Idle bounds how many connections in a row may bring nothing without a disconnect.
	Idle int
}

// Read reads to the end. idle reports that too many connections brought no event; the error is that of Connect.
func (c Cuts) Read() (idle bool, err error) {
	for n, barren := 0, 0; barren < c.Idle; n++ {
		after := c.Next(n)
		came, err := c.Connect(after)
		switch {
		case err != nil || came == Over:
			return false, err
		case after > 0 || came == Some:
			barren = 0
		default:
			barren++
		}
	}
	return true, nil
}

// Each lets so many clients at a time play the plans until enough returns true, and returns how many plans were started.
func Each[P any](plans []P, clients int, enough func() bool, play func(P)) int {
	work := make(chan P)
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for p := range work {
				play(p)
			}
		})
	}
	begun := 0
	for _, p := range plans {
		if enough() {
			break
		}
		work <- p
		begun++
	}
	close(work)
	group.Wait()
	return begun
}
