package certify

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// busyReason is the reason of each unproven requirement whose scenarios a busy server refused; reports print equal reasons
// once.
const busyReason = "the server refused requests that no scenario wanted refused (429 or 503, or 409 for a second request at a time), " +
	"so that nothing was found out; keep below its limit with --rate N, --concurrency 1 or the limits of the config, or lift it for the run; " +
	"readers that have hung up may still be counted"

// statusOfRefusal finds in a title or a step the statuses of refusals that it is about.
var statusOfRefusal = regexp.MustCompile(`\b(409|429|503)\b`)

// refusalsOf returns the statuses with which a row has the server refuse something.
func refusalsOf(sc features.Scenario, title string) []int {
	var out []int
	for _, row := range sc.Rows {
		if row.Title != title {
			continue
		}
		texts := []string{row.Title}
		for _, step := range row.Steps {
			texts = append(texts, step.Text)
		}
		for _, text := range statusOfRefusal.FindAllString(strings.Join(texts, "\n"), -1) {
			status, _ := strconv.Atoi(text) // the pattern matches numbers alone
			out = append(out, status)
		}
	}
	return out
}

// lostRefusal is the reason of a row that proves nothing because the refusal of a body didn't arrive.
const lostRefusal = "the connection broke, or a gateway gave up (502), while a body was sent that had to be refused; " +
	"a proxy in between loses such a refusal"

// mostUnread is the size of a body that exceeds all buffers, so that its refusal may come while it is still being sent.
const mostUnread = 8 << 10

// losesRefusal reports whether a failure of a row is that no refusal arrived of a
// body which a server need not read to its end.
func losesRefusal(sc features.Scenario, title string, e *target.Exchange) bool {
	if e == nil || len(e.Body) < mostUnread {
		return false
	}
	wanted := slices.ContainsFunc(sc.Rows, func(row features.Row) bool {
		return row.Title == title && slices.ContainsFunc(row.Steps, func(step features.Step) bool {
			return step.Keyword == features.Then && strings.Contains(step.Text, "refused")
		})
	})
	v := e.Now()
	return wanted && (v.Status == http.StatusBadGateway || v.Status == 0 && v.End == record.Broken && target.HungUp(v.Err))
}

// declaredEnd is the reason of a row that proves nothing because a connection reached the age at which
// the server ends it.
const declaredEnd = "the server ended a response at the age that its config declares (timing.maxConnection), and what it sent " +
	"meanwhile reached nobody"

// endsAsDeclared reports whether a response ended cleanly after the time that the
// config of the server declares; 0 declares none.
func endsAsDeclared(most time.Duration, exchanges []*target.Exchange) bool {
	return most > 0 && slices.ContainsFunc(exchanges, func(e *target.Exchange) bool {
		v := e.Now()
		return v.IsEventStream() && v.End == record.ServerClose && v.Took >= most
	})
}

// busyOutcome returns the outcome of a row in which the server was busy. After a 409 other rows may still prove the
// requirement; a server with a rate limit may have refused anything.
func busyOutcome(session *target.Session, exchanges []*target.Exchange) report.Verdict {
	for _, e := range exchanges {
		if session.Refused(e) && e.Now().Status != http.StatusConflict {
			return report.Error
		}
	}
	return report.Unprovable
}

// unrefused leaves the exchanges that the server didn't refuse because it was busy.
func unrefused(session *target.Session, exchanges []*target.Exchange) []*target.Exchange {
	return slices.DeleteFunc(slices.Clone(exchanges), session.Refused)
}
