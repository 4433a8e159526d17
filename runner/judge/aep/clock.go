package aep

import (
	"regexp"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/judge"
)

// A moment is a timestamp, if one was seen.
type moment struct {
	at   time.Time // zero unless ok
	text string    // as it was sent
	ok   bool      // it is a valid timestamp
}

var stamp = regexp.MustCompile(`^([0-9]{4})-?([0-9]{2})-?([0-9]{2})[Tt]([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]{1,9})[0-9]*)?)?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?$`)

// readMoment reads a timestamp in any form of ISO 8601 that the pack accepts. One
// without an offset is no moment: whose clock it is can't be known.
func readMoment(text string) moment {
	p := stamp.FindStringSubmatch(text)
	if p == nil || p[8] == "" {
		return moment{}
	}
	orZero := func(s string) string { return s + strings.Repeat("0", 2-len(s)) }
	offset := strings.ReplaceAll(strings.ToUpper(p[8]), ":", "")
	switch {
	case offset == "Z":
		offset = "+0000"
	case len(offset) == 3:
		offset += "00"
	}
	second := orZero(p[6])
	if second == "60" { // a leap second, which the library doesn't know
		second = "59"
	}
	at, err := time.Parse("2006-01-02T15:04:05.999999999-0700",
		p[1]+"-"+p[2]+"-"+p[3]+"T"+p[4]+":"+orZero(p[5])+":"+second+"."+p[7]+strings.Repeat("0", 9-len(p[7]))+offset)
	return moment{at, text, err == nil}
}

// clock compares a timestamp with the latest before it.
func (m *machine) clock(at judge.Position, text string) {
	now := readMoment(text)
	if !now.ok {
		return
	}
	if m.latest.ok {
		m.Saw(eventsClock)
		if now.at.Before(m.latest.at) {
			m.Violation(eventsClock, at, "the timestamp is earlier than one before it", judge.Show(m.latest.text)+" or later", judge.Show(text))
			return
		}
	}
	m.latest = now
}
