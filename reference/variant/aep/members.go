package aep

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// often is a heartbeat that is faster than anybody needs.
const often = 5 * time.Millisecond

// members are other values of members.
func members() []Variant {
	onTimes := func(format func(time.Time) string) apply {
		return onMembers(func(members object, e aep.Event) { members["timestamp"] = alter.Encode(format(e.Timestamp)) })
	}
	return []Variant{
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
			Summary: "Done doesn't tell what was used.", Apply: seams.OnEach(func(e *aep.Event) { e.Usage = nil })},
		{Name: "more-usage", Freedom: "aep.done.usage", Summary: "The usage of done has members of its own.",
			Apply: onDone(func(members object) {
				members["usage"] = json.RawMessage(`{"inputTokens":12,"cost":{"eur":0.0012},"cached":null}`)
			})},
		{Name: "usage-null", Freedom: "optional members without a value", Warns: []string{"aep.events.nulls"},
			Summary: "The usage of done is null.",
			Apply:   onDone(func(members object) { members["usage"] = json.RawMessage("null") })},
		{Name: "content-of-further-types", Freedom: "aep.done.content",
			Summary: "The content of done has blocks of a later version between the others.",
			Apply: onDone(func(members object) {
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
			Summary: "The member of a thinking block in done is called text.", Apply: onDone(thoughtsAsTexts)},
	}
}

// onDone changes the members of done.
func onDone(change func(members object)) apply {
	return onMembers(func(members object, e aep.Event) {
		if e.Kind == aep.Done {
			change(members)
		}
	})
}

// ids are other ids, or none.
func ids() []Variant {
	return []Variant{
		{Name: "no-message-ids", Freedom: "aep.events.message-id", Warns: []string{"aep.events.message-id"},
			Summary: "A response is one message, so messages have no id.",
			Apply:   onMembers(func(members object, _ aep.Event) { delete(members, "messageId") })},
		{Name: "done-without-thread", Freedom: "aep.done.thread", Warns: []string{"aep.done.thread"},
			Summary: "Done doesn't repeat the thread.",
			Apply:   onDone(func(members object) { delete(members, "threadId") })},
		{Name: "odd-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`", Apply: oddIDs,
			Summary: "Ids hold what a URL has to escape, and letters beyond ASCII."},
		{Name: "short-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`", Apply: shortIDs,
			Summary: "Everything that has an id is counted, and ids are digits."},
		{Name: "long-ids", Freedom: "`requestId`, `threadId`, `messageId`, `blockId`, `actionId`",
			Apply:   onIDs(func(id string) string { return id + strings.Repeat("-0", 100) }),
			Summary: "Ids are long, as those that hold a signature are."},
	}
}

func thoughtsAsTexts(members object) {
	var blocks []object
	if json.Unmarshal(members["content"], &blocks) != nil {
		return
	}
	for _, b := range blocks {
		if thought, ok := b["thinking"]; ok {
			b["text"] = thought
			delete(b, "thinking")
		}
	}
	members["content"] = alter.Encode(append([]object{}, blocks...))
}

// onIDs changes ids, those of blocks included.
func onIDs(change func(string) string) apply {
	return func(o aep.Options) aep.Options {
		inner := o.NewID
		o.NewID = func(kind aep.IDKind) string { return change(inner(kind)) }
		return seams.OnEach(func(e *aep.Event) {
			if e.BlockID != "" {
				e.BlockID = change(e.BlockID)
			}
		})(o)
	}
}

func oddIDs(o aep.Options) aep.Options {
	return onIDs(func(id string) string { return "née/" + id + "?#% +" })(o)
}

// shortIDs counts from one for each kind of thing.
func shortIDs(o aep.Options) aep.Options {
	next := make(chan map[aep.IDKind]int, 1)
	next <- map[aep.IDKind]int{}
	o.NewID = func(kind aep.IDKind) string {
		counts := <-next
		counts[kind]++
		id := fmt.Sprint(counts[kind])
		next <- counts
		return id
	}
	return seams.OnEach(func(e *aep.Event) { e.BlockID = strings.TrimPrefix(e.BlockID, "b") })(o)
}
