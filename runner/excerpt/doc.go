// Package excerpt shows goldens in Markdown: it finds the markers of a piece of
// one, returns the present text and the expected one, and gives the text with every piece as it is in the golden.
//
// A marker is a comment that names the golden, the title of a transcript and, where one exchange is enough, its heading; a
// fenced block; and a comment that ends it:
//
//	<!-- wire: golden/<pack>/<folder>/<file>.txt § <title> [§ <heading>] -->
//	```http
//	== <heading>
//	> GET /streams/{stream}/events
//	```
//	<!-- /wire -->
//
// It reads goldens and nothing else, and writes no file. It may import golden.
package excerpt
