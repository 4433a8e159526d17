package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
)

// snapshotVariants lists the variants of snapshot.
func snapshotVariants() []Variant {
	early := func(o reference.Options) reference.Options {
		now := o.Now
		o.Now = func() time.Time { return now().Add(clockError) }
		return o
	}
	dated := func(date func() []string) around {
		return alter.AnswersTo(alter.Any).Header(func(h http.Header) { h["Date"] = date() })
	}

	return []Variant{
		// These are other forms of the same snapshot.
		{Name: "snapshot-time-as-text", Freedom: "helix.snapshot.timestamp",
			Summary: "The time of a snapshot is a date and time in text, in a zone of its own.",
			Wrap: onSnapshot(func(s map[string]any) {
				s["timestamp"] = time.Now().In(time.FixedZone("", 5*60*60+30*60)).Format(time.RFC3339Nano)
			})},
		{Name: "snapshot-with-more", Freedom: "helix.snapshot.document",
			Summary: "The document, its messages and their parts have members that nobody asked for.",
			Wrap: onSnapshot(func(s map[string]any) {
				s["version"], s["agent"] = 3, map[string]any{"streamSequence": -1}
				eachMessage(s, func(m map[string]any) {
					m["createdAt"], m["metadata"] = "2024-12-04T11:00:00Z", nil
					for _, part := range list(m["parts"]) {
						part.(map[string]any)["providerMetadata"] = map[string]any{"text": "x"}
					}
				})
			})},
		{Name: "snapshot-indented", Freedom: "helix.snapshot.document",
			Summary: "The document is written for people, its members in the order of the alphabet.",
			Wrap:    onDocument(func(document []byte) []byte { return encoded(read(document), "  ") })},

		// These are other clocks.
		{Name: "clock-ten-minutes-ahead", Freedom: "the clock of a server", Apply: early,
			Summary: "The clock of the server is ten minutes ahead, and so is the Date of its answers.",
			Wrap:    dated(func() []string { return []string{time.Now().Add(clockError).UTC().Format(http.TimeFormat)} })},
		{Name: "clock-ahead-without-date", Freedom: "the clock of a server", Apply: early,
			Summary: "The clock of the server is ten minutes ahead, and its answers have no Date.",
			Wrap:    dated(func() []string { return nil })},

		// These are other times between a request and its answer.
		{Name: "snapshot-answered-late", Freedom: "helix.snapshot.sequence",
			Summary: "A snapshot is taken when it is asked for, and answered a little later.",
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, r.Partial)
				if err != nil {
					return s, err
				}
				return s, alter.Pause(ctx, 20*time.Millisecond)
			})},
		{Name: "snapshot-taken-late", Freedom: "helix.snapshot.sequence",
			Summary: "A snapshot is taken a little after it was asked for.",
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				if err := alter.Pause(ctx, 20*time.Millisecond); err != nil {
					return helix.Snapshot{}, err
				}
				return take(ctx, r.Partial)
			})},

		// These are other ways to tell the same conversation.
		{Name: "snapshot-with-the-user", Freedom: "helix.snapshot.messages",
			Summary: "What the system and the user said stands before what the agent says.",
			Wrap: onSnapshot(func(s map[string]any) {
				said := func(role string) any {
					return map[string]any{"id": role + "-1", "role": role,
						"parts": []any{map[string]any{"type": "text", "text": "Plan a trip."}}}
				}
				s["messages"] = append([]any{said("system"), said("user")}, list(s["messages"])...)
			})},
		{Name: "messages-with-opaque-ids", Freedom: "helix.snapshot.partial",
			Summary: "The id of a message is opaque but for its end.",
			Wrap: onSnapshot(func(s map[string]any) {
				eachMessage(s, func(m map[string]any) {
					m["id"] = fmt.Sprintf("0f%x", strings.TrimSuffix(m["id"].(string), "-partial")) + end(m)
				})
			})},
		{Name: "messages-in-pieces", Freedom: "helix.snapshot.partial-parts",
			Summary: "A text is several parts, with one before them that says where the step began.",
			Wrap: onSnapshot(func(s map[string]any) {
				eachMessage(s, func(m map[string]any) {
					pieces := []any{map[string]any{"type": "step-start"}}
					for _, part := range list(m["parts"]) {
						pieces = append(pieces, splitText(part.(map[string]any))...)
					}
					m["parts"] = pieces
				})
			})},
	}
}

// snapshots are other documents that say the same, and other moments to take them.
func snapshots() []Variant {
	return slices.Concat(snapshotVariants(), cuts())
}

// clockError is the error of an unsynchronised clock.
const clockError = 10 * time.Minute

// end returns the suffix of a message's id that marks a message which is still being written.
func end(message map[string]any) string {
	if id, _ := message["id"].(string); strings.HasSuffix(id, "-partial") {
		return "-partial"
	}
	return ""
}

// splitText cuts a part that is text before its spaces.
func splitText(part map[string]any) []any {
	text, _ := part["text"].(string)
	if part["type"] != "text" {
		return []any{part}
	}
	var out []any
	for piece := range strings.SplitAfterSeq(text, " ") {
		out = append(out, map[string]any{"type": "text", "text": piece, "state": "done"})
	}
	return out
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func eachMessage(snapshot map[string]any, change func(map[string]any)) {
	for _, m := range list(snapshot["messages"]) {
		change(m.(map[string]any))
	}
}

// onSnapshot changes the documents that answer requests for snapshots.
func onSnapshot(change func(map[string]any)) around {
	return onDocument(func(document []byte) []byte {
		members := read(document)
		change(members)
		return encoded(members, "")
	})
}

// onDocument changes the bytes of snapshots.
func onDocument(change func([]byte) []byte) around {
	return alter.AnswersTo(func(r *http.Request) bool { return !alter.IsControl(r) && strings.HasSuffix(r.URL.Path, "/snapshot") }).
		When(alter.Status(http.StatusOK)).Body(change)
}

// read decodes an object that this server wrote.
func read(document []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	members := map[string]any{}
	if err := d.Decode(&members); err != nil {
		panic(err)
	}
	return members
}

func encoded(members map[string]any, indent string) []byte {
	text, err := json.MarshalIndent(members, "", indent)
	if err != nil { // it was JSON before
		panic(err)
	}
	return text
}
