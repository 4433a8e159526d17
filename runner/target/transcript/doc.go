// Package transcript shows exchanges with a server to people: as text around the frame of a finding, with the calls that
// led to it, and as the exchange of a golden. It sends nothing, and hides no secret: its callers do.
package transcript
