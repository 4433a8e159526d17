package aep

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// members lists the variants of members.
func members() []Variant {
	onTimes := func(format func(time.Time) string) apply {
		return on.Frames().SetTo("timestamp", func(e aep.Event) any { return format(e.Timestamp) })
	}

	return []Variant{
		// These are other values of members.
		{Name: "time-without-fractions", Freedom: "time stamps", Summary: "Times are in whole seconds.",
			Apply: onTimes(func(t time.Time) string { return t.UTC().Format(time.RFC3339) })},
		{Name: "time-with-offset", Freedom: "time stamps", Summary: "Times are those of another zone, to the nanosecond.",
			Apply: onTimes(func(t time.Time) string { return t.In(time.FixedZone("", 5*3600+1800)).Format(time.RFC3339Nano) })},
		{Name: "time-without-separators", Freedom: "time stamps", Warns: []string{"aep.events.timestamp-offset"},
			Summary: "Times are in the basic form of ISO 8601.",
			Apply:   onTimes(func(t time.Time) string { return t.UTC().Format("20060102T150405.000Z") })},
		{Name: "time-without-offset", Freedom: "time stamps", Warns: []string{"aep.events.timestamp-offset"},
			Summary: "Times have no zone, as by many a library.",
			Apply:   onTimes(func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000") })},
		{Name: "no-usage", Freedom: "aep.done.usage",
			Summary: "Done doesn't tell what was used.", Apply: on.Events().Edit(func(e *aep.Event) { e.Usage = nil })},
		{Name: "more-usage", Freedom: "aep.done.usage", Summary: "The usage of done has members of its own.",
			Apply: on.Frames(on.Kind(aep.Done)).Set("usage", `{"inputTokens":12,"cost":{"eur":0.0012},"cached":null}`)},
		{Name: "usage-null", Freedom: "optional members without a value", Warns: []string{"aep.events.nulls"},
			Summary: "The usage of done is null.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("usage", "null")},
		{Name: "content-of-further-types", Freedom: "aep.done.content",
			Summary: "The content of done has blocks of a later version between the others.",
			Apply: on.Frames(on.Kind(aep.Done)).Members(func(members alter.Object, _ aep.Event) {
				var blocks []json.RawMessage
				if json.Unmarshal(members["content"], &blocks) != nil {
					return
				}
				more := []json.RawMessage{json.RawMessage(`{"type":"citation","url":"https://example.org"}`)}
				for _, b := range blocks {
					more = append(more, b, more[0])
				}
				members["content"] = alter.Encode(more)
			})},
		{Name: "thoughts-are-texts-in-done", Freedom: "aep.done.block-members",
			Summary: "The member of a thinking block in done is called text.",
			Apply:   on.ContentMembers(func(b alter.Object) { b.Rename("thinking", "text") })},

		// These are other ids, or none.
		{Name: "no-message-ids", Freedom: "aep.events.message-id", Warns: []string{"aep.events.message-id"},
			Summary: "A response is one message, so messages have no id.",
			Apply:   on.Frames().Remove("messageId")},
		{Name: "done-without-thread", Freedom: "aep.done.thread", Warns: []string{"aep.done.thread"},
			Summary: "Done doesn't repeat the thread.",
			Apply:   on.Frames(on.Kind(aep.Done)).Remove("threadId")},
		{Name: "odd-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`",
			Summary: "Ids hold what a URL has to escape, and letters beyond ASCII.",
			Apply:   onIDs(func(id string) string { return "née/" + id + "?#% +" })},
		{Name: "short-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`", Apply: shortIDs(),
			Summary: "Everything that has an id is counted, and ids are digits."},
		{Name: "long-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`",
			Apply:   onIDs(func(id string) string { return id + strings.Repeat("-0", 100) }),
			Summary: "Ids are long, as those that hold a signature are."},
	}
}

// often is an interval of heartbeats that is shorter than any client needs.
const often = 5 * time.Millisecond

// onIDs changes ids, those of blocks included.
func onIDs(change func(string) string) apply {
	return func(o aep.Options) aep.Options {
		inner := o.NewID
		o.NewID = func(kind aep.IDKind) string { return change(inner(kind)) }
		return on.Events().Edit(func(e *aep.Event) {
			if e.BlockID != "" {
				e.BlockID = change(e.BlockID)
			}
		})(o)
	}
}

// shortIDs counts from one for each kind of thing. The counters outlive the server, as its threads do: replicas share them.
func shortIDs() apply {
	var counts alter.PerKey[int] // by kind
	return func(o aep.Options) aep.Options {
		o.NewID = func(kind aep.IDKind) string { return fmt.Sprint(alter.Count(&counts, string(kind))) }
		return on.Events().Edit(func(e *aep.Event) { e.BlockID = strings.TrimPrefix(e.BlockID, "b") })(o)
	}
}
