// Package wire reads a text/event-stream body block by block without losing
// anything of it: every byte, its offset, how the block was terminated, when
// it arrived, and everything that an EventSource would quietly forgive.
//
// The Reader reports, it doesn't judge. A byte order mark, mixed line ends,
// invalid UTF-8 or a last block without its blank line are recorded on the
// Frame as Violations; which of them matters is for the judge to decide. The
// package refuses to repair, to reconnect and to read the data, except to
// estimate how much memory its values would take.
//
// # Blocks
//
// A block is everything up to and including its blank line. Blank lines that
// follow (and a byte order mark at the start of the body) lead the next block:
// they are part of its Raw. So the Raw of all frames in order, followed by
// Tail, is the body, byte for byte.
//
// A block whose blank line is a CR is complete at that CR, and is delivered
// without waiting for more. Should an LF follow after all, it is the first byte
// of the next block. The one exception is a blank line that follows a line
// ended by CR LF: there the LF is all but certain and belongs to the block that
// it ends, so the Reader waits for it. This depends on the bytes alone, never
// on how they were split into reads.
//
// # Bounds
//
// Time is linear in the size of the body, memory in Options.MaxFrame: a block
// that exceeds it ends in a LimitError. So does one whose data, taken as JSON,
// would take more than some 220 MiB decoded.
//
// The package imports the standard library only.
package wire
