package golden

import (
	"strconv"
	"strings"
	"time"
)

// Wall-clock time lies between these, in Unix milliseconds (2001 to 2100). A number outside isn't taken for a
// timestamp, so that seconds or zero stay to be seen.
const earliest, beyond = 1_000_000_000_000, 4_102_444_800_000

// stamp replaces the timestamp of owner, a part of complete. One frame that is read twice has one timestamp: the other content
// of the frame shows whether it is the same. Two frames of one millisecond are two timestamps, or goldens would depend on
// the speed of the server. A timestamp less than an earlier one of the exchange is marked.
func (n *normaliser) stamp(complete, owner *value, place string) {
	v := owner.get("timestamp")
	if v == nil {
		return
	}
	ms, ok := wallClock(*v)
	if !ok || n.known(v) {
		return
	}
	text, k := v.text, v.kind
	v.text = ""
	key := place + "\x00" + text + "\x00" + complete.String()
	number, known := n.stamps[key]
	if !known {
		n.used["ts"]++
		number = n.used["ts"]
		n.stamps[key] = number
	}
	v.text = "{ts" + strconv.Itoa(number) + "}"
	if ms < n.latest {
		v.text = "{ts" + strconv.Itoa(number) + "<ts" + strconv.Itoa(n.latestNo) + "}"
	} else {
		n.latest, n.latestNo = ms, number
	}
	if k == kindNumber {
		v.kind = kindStamp
	}
}

// known shows a timestamp that the script wrote, and reports whether it is one.
func (n *normaliser) known(v *value) bool {
	ms, _ := wallClock(*v)
	shown, scripted := n.scripted[ms]
	if scripted {
		v.text = strings.Replace(v.text, strconv.FormatInt(ms, 10), strconv.FormatInt(shown, 10), 1)
	}
	return scripted
}

// wallClock reads a timestamp: Unix milliseconds as a number, or RFC 3339 as a string.
func wallClock(v value) (ms int64, ok bool) {
	switch v.kind {
	case kindNumber:
		at, err := strconv.ParseFloat(v.text, 64)
		if err != nil || !(at >= earliest && at < beyond) {
			return 0, false
		}
		ms = int64(at)
	case kindString:
		at, err := time.Parse(time.RFC3339Nano, v.text)
		if err != nil {
			return 0, false
		}
		ms = at.UnixMilli()
	default:
		return 0, false
	}
	return ms, ms >= earliest && ms < beyond
}
