package merlin

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
	"github.com/streamcert/streamcert/runner/target"
)

// subject describes the programs of one scenario.
type subject struct {
	programs int                                         // at standard effort
	make     func(r *rand.Rand, version int) []Operation // draws the operations of a stream of a version
}

// subjects are the histories that there are, by the words of the step that plays them.
var subjects = map[string]subject{
	"short streams":          {programs: 6, make: short},
	"streams at once":        {programs: 1, make: concurrent},
	"long streams":           {programs: 2, make: long},
	"large texts":            {programs: 1, make: large},
	"streams that end early": {programs: 3, make: early},
}

// Subjects lists the subjects of programs, sorted.
func Subjects() []string { return slices.Sorted(maps.Keys(subjects)) }

// Programs returns the number of programs of a subject at standard effort.
func Programs(about string) int { return subjects[about].programs }

// Server is the part of a target on which programs depend.
type Server interface {
	Claims(capability string) bool
	Scripts() bool // the control binding may be used; else the model does all that happens
	Limits() target.Limits
}

// Draw makes a program for a target: the same seed and number give the same.
func Draw(seed int64, number int, about string, version int, t Server) Program {
	offset := slices.Index(Subjects(), about)*2 + version
	r := campaign.NewDraw(seed, uint64(number)<<8|uint64(offset))
	p := Program{version: version, start: start(r, version, about), operations: subjects[about].make(r, version)}
	if !t.Scripts() {
		p.modelled(number, about)
	}
	p.operations = slices.DeleteFunc(p.operations, func(o Operation) bool {
		k := kinds[o.Kind]
		return k.needs != "" && !t.Claims(k.needs) || !k.model && !t.Scripts()
	})
	switch about {
	case "streams at once":
		if p.streams = 4; t.Limits().Streams == 0 || t.Limits().Streams > 7 {
			p.streams = 7
		}
	case "streams that end early":
		p.start.Suppress = version == 2 && number%3 == 1
	}
	if !t.Scripts() {
		p.start = model.Start{Manager: p.start.Manager}
	}
	p.choose(r)
	return p
}

// choose draws how the program's operations are performed, except those that have a choice.
func (p *Program) choose(r *rand.Rand) {
	choices := campaign.NewChoices(r)
	p.choice = choices.Next("streams", max(1, p.streams))
	for i, o := range p.operations {
		if !kinds[o.Kind].unvaried && o.Choice == 0 {
			p.operations[i].Choice = choices.Next(o.Kind, o.Count)
		}
	}
}

// modelled has a model break off in each of its ways in turn, and a client read a long text slowly.
func (p *Program) modelled(number int, about string) {
	if about == "large texts" {
		p.operations = append([]Operation{{Kind: "slow readers", Count: 1}}, p.operations...)
	}
	end := slices.IndexFunc(p.operations, func(o Operation) bool { return o.Kind == "stops" || o.Kind == "aborts" })
	if end >= 0 {
		p.operations = append(p.operations[:end], Operation{Kind: breaks[number%len(breaks)], Count: 1})
	}
}

// start draws the initial state of a stream.
func start(r *rand.Rand, version int, about string) model.Start {
	s := model.Start{Manager: "V2"}
	sources := r.IntN(4)
	if about == "long streams" {
		sources = 11 + r.IntN(20)
	}
	for n := range sources {
		s.Attachments = append(s.Attachments, source(n))
		if r.IntN(3) == 0 {
			kind := campaign.Pick(r, "file", "image", "webpage", "WEB") // none is a source
			s.Attachments = append(s.Attachments, model.Attachment{Type: kind, URL: "a file", Title: "Title 0"})
		}
	}
	if slices.Contains([]string{"large texts", "streams that end early"}, about) && s.Attachments == nil {
		s.Attachments = []model.Attachment{{Type: "web", URL: "https://0.example/", Title: "Title"}}
	}
	if version == 1 {
		s.Manager = campaign.Pick(r, "V1", "")
		return s
	}
	s.GlobalIndex, s.EventManagerIndex = index(r), index(r)
	if r.IntN(3) == 0 {
		asked := index(r)
		s.ContentIndex = &asked
	}
	if about == "long streams" { // so that the blocks exceed one byte, or two
		s.GlobalIndex, s.ContentIndex = campaign.Pick(r, 200, 1<<16-50), nil
	}
	if about == "streams at once" { // beyond two bytes
		s.GlobalIndex, s.ContentIndex = 1<<16+r.IntN(300), nil
	}
	if about == "large texts" { // an explicit minimum
		s.GlobalIndex, s.EventManagerIndex, s.ContentIndex = 0, 1+r.IntN(300), new(int)
	}
	return s
}

// index draws an index: half of them are 0, and some exceed two bytes.
func index(r *rand.Rand) int {
	if r.IntN(4) == 0 {
		return campaign.Near(r, 1<<15, 1<<16)
	}
	return r.IntN(2) * campaign.Size(r, 300)
}

// source returns the nth source on the web. Some have the title or the address of others, or both, and some no title.
func source(n int) model.Attachment {
	address := n
	switch {
	case n%8 == 7:
		address = n - 2
	case n%4 == 2:
		address = n - 1
	}
	title := fmt.Sprintf("Title %d & <more>", n/2)
	if n%6 == 2 {
		title = ""
	}
	return model.Attachment{Type: "web", URL: fmt.Sprintf("https://%d.example/a%%20page?q=%d&lang=nb#part", address, address), Title: title}
}

// of returns the kinds that a version has and that may be at any position, sorted.
func of(version int) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if k := kinds[name]; (k.version == 0 || k.version == version) && !k.last {
			out = append(out, name)
		}
	}
	return out
}

func class(r *rand.Rand) string {
	all := slices.DeleteFunc(campaign.Classes(), func(name string) bool { return name == "nul" })
	return campaign.Pick(r, append(all, campaign.Every, campaign.Every, campaign.Every)...)
}

// operation draws one of a kind.
func operation(r *rand.Rand, name string, times, bytes int) Operation {
	o := Operation{Kind: name, Count: campaign.Size(r, times)}
	switch {
	case name == "bytes a piece":
		o.Count = campaign.Pick(r, 0, 1, 2, 3, 5, 7, 16, 64, 1000)
	case name == "barriers":
		o.Count = 1
	case kinds[name].data:
		o.Class, o.Size = class(r), campaign.Size(r, bytes)
	}
	return o
}

// short returns a few operations of any kind, and the last words of the model.
func short(r *rand.Rand, version int) []Operation {
	return append(few(r, version), Operation{Kind: "last words", Count: 1})
}

// few returns a few operations of any kind.
func few(r *rand.Rand, version int) (out []Operation) {
	all := of(version)
	for range 14 {
		out = append(out, operation(r, campaign.Pick(r, all...), 5, 40))
	}
	return append(out, operation(r, "texts", 3, 20))
}

// concurrent returns a few operations, with barriers that make the streams overlap.
func concurrent(r *rand.Rand, version int) (out []Operation) {
	out = append(few(r, version), Operation{Kind: "barriers", Count: 1})
	for _, name := range []string{"thoughts", "steps", "texts", "calls"} {
		out = append(out, Operation{Kind: name, Count: 6, Class: "plain", Size: 9})
	}
	return append(out, Operation{Kind: "departures", Count: 1}, operation(r, "texts", 3, 20), Operation{Kind: "barriers", Count: 1}, operation(r, "texts", 3, 20))
}

// long has every kind several times in any order, and one of them very often.
func long(r *rand.Rand, version int) (out []Operation) {
	for range 2 {
		for _, name := range of(version) {
			out = append(out, operation(r, name, 12, 24))
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	often := []Operation{
		{Kind: "texts", Count: 2, Class: "nul", Size: 5}, {Kind: "pieces of a call", Count: 300, Class: campaign.Every, Size: 3},
		{Kind: "thoughts with a text", Count: 2, Class: "plain", Size: 5}, {Kind: "bytes a piece", Count: 1 + r.IntN(2)}, {Kind: "spellings", Count: 8},
		{Kind: "bytes a piece", Count: 3}, {Kind: "spellings", Count: 12},
		{Kind: "bytes a piece", Count: 1000}, {Kind: "spellings", Count: 4}, {Kind: "bytes a piece"}, {Kind: "spellings", Count: 8}, {Kind: "empty texts", Count: 33}, {Kind: "usages", Count: 4}, {Kind: "noises", Count: len(noises)}, {Kind: "texts", Count: 1, Class: "plain", Size: 5},
		{Kind: "steps", Count: 3, Class: "plain", Size: 5}, {Kind: "texts", Count: 260 + r.IntN(20), Class: campaign.Every, Size: 1},
		{Kind: "calls in one event", Count: 12 + r.IntN(8), Class: campaign.Every, Size: 9}, {Kind: "values", Count: 110 + r.IntN(20), Class: "plain", Size: 5},
		{Kind: "equal texts", Count: 20, Class: "plain", Size: 5}, {Kind: "ended steps", Count: 40}, {Kind: "late tags", Count: 3, Class: "plain", Size: 3},
	}
	if version == 1 {
		often = append(often,
			Operation{Kind: "citations", Count: 12 + r.IntN(4), Class: campaign.Every, Size: 5}, Operation{Kind: "sentences", Count: 2, Class: "plain", Size: 9},
			Operation{Kind: "equal citations", Count: 6, Class: "plain", Size: 5}, Operation{Kind: "citations ahead", Count: 3, Class: "plain", Size: 9},
			Operation{Kind: "texts", Count: 1, Class: "plain", Size: 9}, Operation{Kind: "sentences", Count: 1, Class: "plain", Size: 9}, Operation{Kind: "thoughts", Count: 105, Class: "plain", Size: 5},
		)
	} else {
		often = append(often, Operation{Kind: "results", Count: 12 + r.IntN(4), Class: campaign.Every, Size: 9}, Operation{Kind: "thoughts", Count: 105, Class: "plain", Size: 5},
			Operation{Kind: "equal results", Count: 2, Class: "plain", Size: 5}, Operation{Kind: "pieces of a result", Count: 300, Class: campaign.Every, Size: 3}, Operation{Kind: "citations", Count: 2, Class: "plain", Size: 5},
			Operation{Kind: "texts", Count: 2, Class: "plain", Size: 5})
		for range 70 {
			often = append(often, Operation{Kind: "handoffs", Count: 1}, Operation{Kind: "texts", Count: 1, Class: "plain", Size: 5})
		}
	}
	return append(out, often...)
}

// wide lists the classes whose texts may be large, since JSON writes them about as they are, and whose characters have several
// bytes, so that whatever cuts them cuts one.
var wide = []string{"astral", "accents"}

// large returns a few texts that are long themselves.
func large(r *rand.Rand, version int) []Operation {
	out := []Operation{{Kind: "bytes a piece", Count: campaign.Pick(r, 0, 1000, 4096, campaign.MostTimes)}}
	most, shown := 1<<20, 1<<18
	if version == 1 { // a slice for every few characters
		shown = 2500
	}
	one := func(kind string, size int) Operation { // by a choice that takes no short text instead
		return Operation{Kind: kind, Count: 1, Class: campaign.Pick(r, wide...), Size: size + r.IntN(size/8), Choice: 2}
	}
	out = append(out, one("texts", shown), Operation{Kind: "bytes a piece", Count: 1000}, one("calls", most/4), out[0], one("thoughts", most/4), one("citations", 66_000), one("sentences", 20))
	if version == 2 {
		out = append(out, Operation{Kind: "texts", Count: 1, Class: campaign.Pick(r, wide...), Size: most}, Operation{Kind: "results", Count: 1, Class: class(r), Size: 66_000 + r.IntN(9000), Choice: 2})
	}
	out = append(out, Operation{Kind: "steps", Count: 1, Class: class(r), Size: 300 + r.IntN(3000), Choice: 1},
		Operation{Kind: "values", Count: 2, Class: class(r), Size: 66_000 + r.IntN(9000), Choice: 1},
		Operation{Kind: "bytes a piece"}, Operation{Kind: "halves", Count: 2})
	if version == 1 {
		out = append(out, Operation{Kind: "barriers", Count: 1}, Operation{Kind: "hurried texts", Count: 1, Class: "plain", Size: 4200 + r.IntN(200)})
	}
	return append(out, operation(r, "texts", 3, 20))
}

// early ends a few operations by a model that breaks off, or a user who stops.
func early(r *rand.Rand, version int) []Operation {
	out := few(r, version)
	out = slices.DeleteFunc(out[:3+r.IntN(len(out)-3)], func(o Operation) bool { return kinds[o.Kind].version == 2 && o.Kind != "handoffs" })
	if version == 2 { // who goes on does so as the one before
		out = append(out, Operation{Kind: "handoffs", Count: 1})
	}
	out = append(out, operation(r, "texts", 4, 20), operation(r, "thoughts", 2, 9), operation(r, "steps", 2, 9), operation(r, "calls", 3, 9), operation(r, "citations", 2, 9))
	out = append(out, Operation{Kind: "lone halves", Count: 1})
	if r.IntN(2) == 0 {
		return append(out, Operation{Kind: "aborts", Count: 1})
	}
	return append(out, Operation{Kind: "stops", Count: 1}, operation(r, "texts", 4, 20), operation(r, "thoughts", 2, 20))
}
