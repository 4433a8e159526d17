package data

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// keys maps JSON pointers to the keys of the state that patches change.
var keys = map[string]string{"/k": "k", "/list": "list", "/a~1b": "a/b", "/m~0n": "m~n", "/0": "0", "/é": "é", "/K": "K", "/~01": "~1", "/": "", "/-": "-"}

// patching builds one patch. Its operations apply to every state that is an object; sets has their effect.
type patching struct {
	r          *rand.Rand            // of the patch alone, so that its number repeats it
	grows      bool                  // no operation replaces the complete state
	operations []any                 // of the patch so far
	sets       []streammodel.Setting // effect of operations, in their order
}

// grown is the number of chunks of a stream after which no patch replaces the state, so that the first members stay.
const grown = 64

// patch returns operations of the nth chunk of a stream, which apply to every state, and their effect. In one of three
// cases they add a member that no other patch changes.
func patch(r *rand.Rand, n int) (operations []any, sets []streammodel.Setting) {
	p := &patching{r: r, grows: n >= grown}
	if r.IntN(3) == 0 {
		key := fmt.Sprintf("member-%d", n)
		p.does("add", "/"+key, map[string]any{"value": n})
		p.sets = append(p.sets, streammodel.Setting{Key: key, Value: float64(n)})
	}
	for range 1 + r.IntN(3) {
		p.some(someKey(r), r.IntN(ways))
	}
	return p.operations, p.sets
}

// patchInTurn returns the operations of the nth chunk of a stream, of the next kind of change after that of the chunk
// before. Every second patch of an operation changes the value that the one before added; ith is the chunk's index
// within its operation.
func patchInTurn(n, ith int) (operations []any, sets []streammodel.Setting) {
	p := &patching{r: campaign.NewDraw(int64(n), 0)}
	p.some(someKey(p.r), n%ways)
	key := fmt.Sprintf("pair-%d", n-ith%2)
	if ith%2 == 0 {
		p.does("add", "/"+key, map[string]any{"value": map[string]any{"in": []any{map[string]any{}}}})
		p.sets = append(p.sets, streammodel.Setting{Key: key, Value: map[string]any{"in": []any{map[string]any{}}}})
		return p.operations, p.sets
	}
	p.does("add", "/"+key+"/in/0/since", map[string]any{"value": nil})
	p.does("add", "/"+key+"/in/-", map[string]any{"value": n})
	p.sets = append(p.sets, streammodel.Setting{Key: key, Value: map[string]any{"in": []any{map[string]any{"since": nil}, float64(n)}}})
	return p.operations, p.sets
}

// patchApart returns the operations of the nth chunk of a stream. Every second patch, which a cleanup may remove
// without the other, changes values within the value that the one before added; ith is the chunk's index within its
// operation.
func patchApart(n, ith int) (operations []any, sets []streammodel.Setting) {
	p := &patching{}
	key, value := fmt.Sprintf("apart-%d", n-ith%2), func(v any) map[string]any { return map[string]any{"value": v} }
	at := "/" + key
	is := map[string]any{"in": []any{1.0, map[string]any{"a": 1.0}, "x"}, "of": map[string]any{"a": []any{}}}
	if ith%2 == 0 {
		p.does("add", at, value(is))
	} else {
		p.does("replace", at+"/in/0", value(n))
		p.does("add", at+"/in/1/b", value(nil))
		p.does("remove", at+"/in/2", nil)
		p.does("add", at+"/in/-", value([]any{n}))
		p.does("add", at+"/of/a/0", value(n))
		is = map[string]any{"in": []any{float64(n), map[string]any{"a": 1.0, "b": nil}, []any{float64(n)}}, "of": map[string]any{"a": []any{float64(n)}}}
	}
	return p.operations, []streammodel.Setting{{Key: key, Value: is}}
}

func someKey(r *rand.Rand) string {
	return campaign.Pick(r, "/k", "/list", "/a~1b", "/m~0n", "/0", "/é", "/K", "/~01", "/", "/-")
}

// ways is the number of kinds of changes of a member.
const ways = 12

func (p *patching) does(op, path string, more map[string]any) {
	operation := map[string]any{"op": op, "path": path}
	for name, v := range more {
		operation[name] = v
	}
	p.operations = append(p.operations, operation)
}

func (p *patching) is(at string, v any) {
	p.sets = append(p.sets, streammodel.Setting{Key: keys[at], Value: v})
}

func (p *patching) gone(at string) {
	p.sets = append(p.sets, streammodel.Setting{Key: keys[at], Removed: true})
}

// some appends one kind of change of a member.
func (p *patching) some(at string, how int) {
	v := anyValue(p.r)
	value := func(v any) map[string]any { return map[string]any{"value": v} }
	switch {
	case how == 0:
		p.does("add", at, value(v))
		p.does("remove", at, nil)
		p.gone(at)
	case how == 1:
		p.does("add", at, value("first"))
		p.does("replace", at, value(v))
		p.is(at, v)
	case how == 2:
		p.listed(at, v)
	case how == 3:
		p.moved(at, v)
	case how == 5:
		p.within(at, v)
	case how == 6: // equal numbers in several spellings
		p.does("add", at, value(json.RawMessage(campaign.Pick(p.r, `1`, `1.0`, `1e0`))))
		p.does("test", at, value(json.RawMessage(campaign.Pick(p.r, `1`, `1.0`, `10e-1`))))
		p.is(at, 1.0)
	case how == 9: // objects are equal in any order of their members
		p.does("add", at, value(map[string]any{"a": v, "b": 1.0}))
		p.does("test", at, value(json.RawMessage(`{"b":1,"a":`+string(Encode(v))+`}`)))
		p.does("add", at+"/c", value(nil))
		p.is(at, map[string]any{"a": v, "b": 1.0, "c": nil})
	case how == 4 && !p.grows:
		whole := map[string]any{"k": v, "a/b": nil}
		if p.r.IntN(2) == 0 { // after the state was a list
			p.does("replace", "", value([]any{v}))
			p.does("add", "/-", value(nil))
			p.does("test", "", value([]any{v, nil}))
		}
		p.does(campaign.Pick(p.r, "add", "replace"), "", value(whole))
		p.sets = append(p.sets, streammodel.Setting{Value: whole, Root: true})
	default:
		p.does("add", at, value(v))
		p.is(at, v)
	}
}

// listed makes a list and changes it: insertions and removals move later items.
func (p *patching) listed(at string, v any) {
	p.does("add", at, map[string]any{"value": []any{1.0, 2.0, 3.0}})
	p.does("add", at+"/1", map[string]any{"value": v})                // 1 v 2 3
	p.does("remove", at+"/0", nil)                                    // v 2 3
	p.does("add", at+"/-", map[string]any{"value": nil})              // v 2 3 null
	p.does("move", at+"/0", map[string]any{"from": at + "/2"})        // 3 v 2 null
	p.does("move", at+"/3", map[string]any{"from": at + "/1"})        // 3 2 null v
	p.does("copy", at+"/0", map[string]any{"from": at + "/1"})        // 2 3 2 null v
	p.does("replace", at+"/3", map[string]any{"value": []any{"two"}}) // 2 3 2 [two] v
	list := []any{2.0, 3.0, 2.0, []any{"two"}, v}
	for range p.r.IntN(3) { // falsy items, and items that a library may take for a list of items
		item := campaign.Pick[any](p.r, "", []any{}, false, 0.0, map[string]any{}, []any{""})
		p.does("add", at+"/-", map[string]any{"value": item})
		list = append(list, item)
	}
	p.is(at, list)
}

// moved copies a value and changes the copy, which must leave the original unchanged; then it may move the original.
func (p *patching) moved(at string, v any) {
	to := map[bool]string{true: "/K", false: "/k"}[at == "/k"]
	p.does("add", at, map[string]any{"value": map[string]any{"in": []any{v}}})
	p.does("copy", to, map[string]any{"from": at})
	p.does("add", to+"/in/-", map[string]any{"value": 1.0})
	p.does("test", at, map[string]any{"value": map[string]any{"in": []any{v}}})
	p.is(at, map[string]any{"in": []any{v}})
	p.is(to, map[string]any{"in": []any{v, 1.0}})
	if p.r.IntN(2) == 0 {
		p.does("move", "/list", map[string]any{"from": at})
		p.gone(at)
		p.is("/list", map[string]any{"in": []any{v}})
	}
}

// within changes values within a value; a change of a copy leaves its original unchanged.
func (p *patching) within(at string, v any) {
	value := func(v any) map[string]any { return map[string]any{"value": v} }
	from := func(path string) map[string]any { return map[string]any{"from": at + path} }
	p.does("add", at, value(map[string]any{"a": map[string]any{"b": []any{1.0}}, "c": 2.0}))
	p.does("copy", at+"/d", from("/a"))
	p.does("add", at+"/a/b/1", value(3.0)) // a.b is [1, 3]
	p.does("remove", at+"/d/b/0", nil)
	p.does("move", at+"/e", from("/a/b/0"))
	p.does("copy", at+"/a/b/-", from("/c")) // a.b is [3, 2]
	p.does("move", at+"/c", from("/d"))     // replaces the value at /c
	p.does("replace", at+"/a/b/1", value(v))
	p.is(at, map[string]any{"a": map[string]any{"b": []any{3.0, v}}, "c": map[string]any{"b": []any{}}, "e": 1.0})
}

// grow makes the chunk a patch that adds a member with a value of so many bytes to the state.
func grow(c *streammodel.Chunk, members map[string]any, size int) {
	key, value := "grown-"+c.Marker, strings.Repeat(Filler, size/len(Filler)+1)[:size]
	members["type"] = "state_patch"
	members["patches"] = []any{map[string]any{"op": "add", "path": "/" + key, "value": value}}
	c.Sets = []streammodel.Setting{{Key: key, Value: value}}
}
