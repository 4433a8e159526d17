package helixui

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// remaining returns the parts after the id at which the reader resumed. Parts with the same id may have been on their way
// when it disconnected.
func (r *returned) remaining(parts []model.Part) []model.Part {
	behind := r.behind
	for behind < len(parts) && parts[behind].ID == r.id {
		behind++
	}
	return parts[behind:]
}

// skipped returns the ids of the parts of an answer that a page lacks before the last one that it received, and if it doesn't
// receive all from the start, after the first one; nil where it doesn't receive the parts as they are.
func (r *returned) skipped(parts []model.Part, fromStart bool) (ids []string) {
	matched, lacks := 0, []string(nil)
	for _, p := range parts {
		if matched < len(r.got) && reflect.DeepEqual(p, r.got[matched]) {
			matched, ids = matched+1, lacks
		} else if fromStart || matched > 0 {
			lacks = append(lacks, p.ID)
		}
	}
	if matched < len(r.got) {
		return nil
	}
	return ids
}

// usable returns the indexes of the parts after which a reader may resume: the last of each id.
func usable(parts []model.Part) []int {
	var out []int
	for i, p := range parts {
		if p.ID != "" && (i+1 == len(parts) || parts[i+1].ID != p.ID) {
			out = append(out, i)
		}
	}
	return out
}

// spread picks up to count of some positions at equal distances, the last one first.
func spread(of []int, count int) []int {
	var out []int
	for i := range min(count, len(of)) {
		out = append(out, of[len(of)-1-i*len(of)/min(count, len(of))])
	}
	return out
}

// near is the number of parts before the end of an answer after which readers resume: reading much again proves little
// more.
const near = 100

// positions returns the indexes of parts after which readers resume: so many, and near the end the last one of each third type,
// counted from the end and from the choice.
func positions(parts []model.Part, o Operation) []int {
	of := usable(parts)
	out, kinds := spread(of, o.Count), map[string]bool{}
	for _, i := range slices.Backward(of) {
		if kind := parts[i].Kind(); !kinds[kind] && i >= len(parts)-near {
			kinds[kind] = true
			if (len(kinds)+o.Choice)%3 == 0 {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// apart reports whether an id of an earlier turn can't be one of the ids of this one.
func apart(id string, parts []model.Part) bool {
	head, n := numbered(id)
	return !slices.ContainsFunc(parts, func(p model.Part) bool {
		other, m := numbered(p.ID)
		return p.ID == id || n >= 0 && m >= 0 && other == head && m <= n
	})
}

// numbered splits an id into the text before its trailing number, and the number; -1 if it has none.
func numbered(id string) (head string, n int64) {
	head = strings.TrimRight(id, "0123456789")
	n, err := strconv.ParseInt(id[len(head):], 10, 64)
	if err != nil {
		return id, -1
	}
	return head, n
}
