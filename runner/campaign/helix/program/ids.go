package program

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// AlikeIDs lists kinds of similar ids that a server may confuse. The first id of each kind is the ordinary one.
var AlikeIDs = map[string]func(base string) []string{
	"case":      func(b string) []string { return []string{b + ".abc", b + ".ABC", b + ".Abc", b + ".aBC"} },
	"prefix":    func(b string) []string { return []string{b + ".a", b + ".ab", b + ".", b + ".a-"} },
	"long":      func(b string) []string { return lengthy(b) },
	"trailing":  func(b string) []string { return []string{b + ".x", b + ".x ", b + ".x.", " " + b + ".x"} },
	"pattern":   func(b string) []string { return []string{b + ".xa", b + ".x*", b + ".x?", b + ".x[a]"} },
	"path":      func(b string) []string { return []string{b + ".p", b + ".p/q", b + ".p%2Fq", b + ".p/../p"} },
	"separator": func(b string) []string { return []string{b + ".s:1", b + ".s/1", b + ".s%3A1", b + ".s|1"} },
	"unicode":   func(b string) []string { return []string{b + ".\u00e9", b + ".e\u0301", b + ".\u00c9", b + ".ｅ"} },
	"tenant":    func(b string) []string { return []string{b + ":1", b + ":2", b + ":", b + ":1:2"} },
	"number":    func(b string) []string { return numeric(b) },
	"query":     func(b string) []string { return []string{b + ".q", b + ".q?a=1", b + ".q#a", b + ".q&a=1"} },
	"longer":    func(b string) []string { return sharing(b, 200) },
	"column":    func(b string) []string { return sharing(b, 255) },
	"longest":   func(b string) []string { return sharing(b, 1024) },
	"mixed":     func(b string) []string { return []string{b + ".:%*[", b + ".*:%[", b + ".[%:*", b + ".%[*:"} },
	"parameter": func(b string) []string { return []string{b + ".m", b + ".m;v=1", b + ".m;", b + ".m,"} },
	"slashed":   func(b string) []string { return []string{b + ".w", b + ".w/", b + ".w\\", b + ".w//"} },
	"quoted":    func(b string) []string { return []string{b + ".'q", b + ".\"q", b + ".`q", b + ".\\q"} },
	"emoji": func(b string) []string {
		return []string{b + ".\U0001f600", b + ".\U0001f601", b + ".\U0001f600\ufe0f", b + ".?"}
	},
	"underscore": func(b string) []string { return []string{b + ".a_b", b + ".a-b", b + ".a.b", b + ".a b"} },
	"extension":  func(b string) []string { return []string{b + ".n", b + ".n.json", b + ".n.txt", b + ".n.gz"} },
	"form":       func(b string) []string { return []string{b + ".a b", b + ".a+b", b + ".a%20b", b + ".a%2Bb"} },
	"hash":       func(b string) []string { return []string{b + ".AaAa", b + ".AaBB", b + ".BBAa", b + ".BBBB"} }, // all have the same hash code in Java
	"compatible": func(b string) []string { return []string{b + ".fi2", b + ".\ufb012", b + ".fi\u00b2", b + ".fi\u2461"} },
	"unseen":     func(b string) []string { return []string{b + ".u", b + ".u\u200b", b + ".\ufeffu", b + ".u\u00ad"} },
}

// numeric returns ids that are different spellings of one number.
func numeric(base string) []string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(base)) // it never fails
	n := strconv.FormatUint(1e14+h.Sum64()%9e14, 10)
	return []string{n, "0" + n, n + ".0", n + "e0"}
}

// lengthy returns ids of about 200 characters that differ at the end.
func lengthy(base string) []string {
	head := base + "." + strings.Repeat("x", max(0, 198-len(base)))
	return []string{head + "a", head + "b", head[:len(head)-1] + "ya", head + "A"}
}

// sharing returns ids that share a prefix of about n characters.
func sharing(base string, n int) []string {
	head := base + "." + strings.Repeat("y", max(0, n-1-len(base)))
	return []string{head + ".1", head + ".2", head + ".1.", head}
}
