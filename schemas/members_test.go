package schemas_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/schemas"
)

func TestMembers(t *testing.T) {
	for _, c := range []struct{ pack, schema, path, want string }{
		{"helix", "chunks/text_delta", "delta", "string|required|required|What comes next; the text is all of them in a row.|helix.chunks.members"},
		{"helix", "chunks/text_delta", "agentType", "string; not empty|required|optional|The kind of that agent.|helix.chunks.agent-type"},
		{"helix", "frames/chunk", "type", `"chunk"|required|required|The type of the frame.|helix.wire.frame-type`},
		{"helix", "frames/chunk", "error", "any|forbidden|optional|Belongs to a fail frame.|helix.wire.exclusive"},
		{"helix", "stream-info", "status", `"active", "paused", "ended", "failed"|required|required|Where it is in its life.|helix.status.info-members helix.status.info-word`},
		{"aep", "frames/text", "delta", "string|depends|depends|The piece.|aep.content.text-delta"},
	} {
		set, err := schemas.Load(schemas.FS, c.pack)
		if err != nil {
			t.Fatal(err)
		}
		got := "no such member"
		for _, m := range set.Members(c.schema) {
			if m.Path == c.path {
				got = strings.Join([]string{m.Type, string(m.Strict), string(m.Lenient), m.Meaning, strings.Join(m.IDs, " ")}, "|")
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s: %s", c.schema, c.path, diff)
		}
	}
}

// TestMembersOfExamples: whatever the schemas say in words, their examples agree: a member that is required is in every
// valid example, and one that is forbidden in none.
func TestMembersOfExamples(t *testing.T) {
	for _, pack := range []string{"helix", "aep"} {
		set, err := schemas.Load(schemas.FS, pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range set.Names() {
			listed := set.Members(name)
			if title, _ := set.About(name); title == "" || len(listed) == 0 {
				t.Errorf("%s %s has no title or no member", pack, name)
			}
			for _, m := range listed {
				if strings.ContainsAny(m.Path, ".[") {
					continue
				}
				for _, x := range set.Examples(name) {
					there := strings.Contains(string(x.Value), `"`+m.Path+`":`)
					if m.Strict == schemas.Required && !there {
						t.Errorf("%s %s: %s is required and not in %s", pack, name, m.Path, x.Value)
					}
				}
			}
		}
	}
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	if set.Members("nothing") != nil {
		t.Error("a schema that isn't there has members")
	}
}
