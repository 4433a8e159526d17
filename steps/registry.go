package steps

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
)

// Definition is one sentence of the vocabulary.
type Definition struct {
	Keyword features.Keyword // And and But are none: see [features.Keyword]
	Pattern *regexp.Regexp   // anchored at both ends
	Arity   int              // number of parameters that the handler takes, doc strings and tables included
	Block   bool             // the last parameter is a doc string
	Shared  bool             // every pack has it, and none needs to use it
	handler any              // a function of a context and the parameters
	prefix  string           // prefix of every text that Pattern matches
	callers [4]uintptr       // of the registration, the nearest first
}

// Matches reports whether a step is an instance of the sentence.
func (d *Definition) Matches(step features.Step) bool {
	return d.Keyword == step.Keyword && strings.HasPrefix(step.Text, d.prefix) && d.Pattern.MatchString(step.Text)
}

// Parameters returns the types of the handler's parameters after its context, the doc string included.
func (d *Definition) Parameters() []reflect.Type {
	handler := reflect.TypeOf(d.handler)
	var out []reflect.Type
	for i := 1; i < handler.NumIn(); i++ {
		out = append(out, handler.In(i))
	}
	return out
}

// Vocabulary is every sentence that the feature files of a pack may use. It doesn't
// change, and is safe for concurrent use.
type Vocabulary struct {
	definitions []Definition // in the order of their registration
	matches     sync.Map     // sentence → []int: cached indexes of matching definitions
}

// sentence is the part of a step that a definition matches.
type sentence struct {
	keyword features.Keyword
	text    string
}

// NewVocabulary compiles the vocabulary of a pack: the common sentences, and the pack's chapters. of returns the pack's
// state of a world, as [Of] does.
func NewVocabulary[S any](of func(*World) S, chapters ...func(*Sentences[S])) *Vocabulary {
	v := &Vocabulary{}
	judgedSteps(&Sentences[*World]{v, func(w *World) *World { return w }})
	for i := range v.definitions {
		v.definitions[i].Shared = true
	}
	for _, add := range chapters {
		add(&Sentences[S]{v, of})
	}
	return v
}

// Definitions lists the vocabulary in the order of its registration.
func (v *Vocabulary) Definitions() []Definition { return v.definitions }

// Used lists the definitions that some steps use, each once. A step that no
// definition matches adds none, and one that several match adds them all.
func (v *Vocabulary) Used(by []features.Step) []Definition {
	used := map[int]bool{}
	for _, step := range by {
		for _, i := range v.matching(step) {
			used[i] = true
		}
	}
	var out []Definition
	for _, i := range slices.Sorted(maps.Keys(used)) {
		out = append(out, v.definitions[i])
	}
	return out
}

// matching returns the indexes of the definitions that match a step. Hundreds would have to
// be tried, and the rows of an outline share most of their steps.
func (v *Vocabulary) matching(step features.Step) []int {
	key := sentence{step.Keyword, step.Text}
	if known, ok := v.matches.Load(key); ok {
		return known.([]int)
	}
	var found []int
	for i := range v.definitions {
		if v.definitions[i].Matches(step) {
			found = append(found, i)
		}
	}
	v.matches.Store(key, found)
	return found
}

// Bind registers definitions with a scenario. The world comes from the context
// that a Before hook made with [With].
func Bind(sc *godog.ScenarioContext, definitions []Definition) {
	for _, d := range definitions {
		switch d.Keyword {
		case features.Given:
			sc.Given(d.Pattern, d.handler)
		case features.When:
			sc.When(d.Pattern, d.handler)
		default:
			sc.Then(d.Pattern, d.handler)
		}
	}
}

type worldKey struct{}

// With returns a context that carries the world of a scenario.
func With(ctx context.Context, w *World) context.Context {
	return context.WithValue(ctx, worldKey{}, w)
}

// From returns the world that a context carries, nil when it carries none.
func From(ctx context.Context) *World {
	w, _ := ctx.Value(worldKey{}).(*World)
	return w
}

// run plays a step. A Then that counted no occasion has judged nothing, which is
// neither a pass nor a failure.
func run(ctx context.Context, k features.Keyword, f func(*World) error) (err error) {
	w := From(ctx)
	if w == nil {
		return Faultf("no world in the context of this step")
	}
	defer func() {
		if r := recover(); r != nil {
			err = Faultf("a step panicked: %v", r)
		}
		w.err = cmp.Or(w.err, err)
		// godog stores the result of a step until the run is over. An exchange contains all received data, and stays with
		// the world.
		if f, ok := err.(*Failure); ok {
			err = &Failure{Finding: f.Finding}
		}
	}()
	if w.env.Withheld != "" {
		return &Unprovable{w.env.Withheld}
	}
	seen := w.Occasions()
	if err := f(w); err != nil || k != features.Then || w.Occasions() > seen {
		return Classify(err)
	}
	return &Unprovable{record.NothingToJudge}
}

func (v *Vocabulary) add(k features.Keyword, pattern string, arity int, handler any) {
	if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
		panic(fmt.Sprintf("step pattern %q is not anchored", pattern)) // found by the first test that builds a vocabulary
	}
	d := Definition{Keyword: k, Pattern: regexp.MustCompile(pattern), Arity: arity, handler: handler, prefix: literalPrefix(pattern)}
	runtime.Callers(2, d.callers[:])
	v.definitions = append(v.definitions, d)
}

// Source returns the line that registers the sentence, its file from the root of the kit: that of the nearest caller outside
// sentence.go and this file.
func (d *Definition) Source() (file string, line int) {
	_, this, _, _ := runtime.Caller(0)
	root := strings.TrimSuffix(this, "steps/registry.go")
	for frames := runtime.CallersFrames(d.callers[:]); ; {
		frame, more := frames.Next()
		if file = strings.TrimPrefix(frame.File, root); !more || file != "steps/registry.go" && file != "steps/sentence.go" {
			return file, frame.Line
		}
	}
}

// literalPrefix returns the text of an anchored pattern before the first metacharacter. An anchored pattern has no
// alternatives outside parentheses.
func literalPrefix(pattern string) string {
	text := strings.TrimPrefix(pattern, "^")
	end := strings.IndexAny(text, `\.+*?()|[]{}^$`)
	if end > 0 && strings.ContainsRune("*?{", rune(text[end])) {
		end-- // the character before it may be missing
	}
	return text[:end]
}
