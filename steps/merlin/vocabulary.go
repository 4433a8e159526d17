package merlin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/features"
	model "github.com/streamcert/streamcert/runner/model/merlin"
	"github.com/streamcert/streamcert/runner/target/merlin"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// Vocabulary is every sentence that the feature files of this pack may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(of, asking, streaming, adding, campaignSteps)
}

func asking(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Doc2(v, k, `^a client requests a V([12]) stream of:$`, func(w *world, version, script string) error {
			return w.request(int(version[0]-'0'), script, false)
		})
		steps.Doc2(v, k, `^a client without the control token requests a V([12]) stream of:$`, func(w *world, version, script string) error {
			if !w.Session().Target().HasControlToken() {
				return &steps.Unprovable{Reason: "the config names no token of control calls (control.token)"}
			}
			return w.request(int(version[0]-'0'), script, true)
		})
		steps.Step2(v, k, `^a client requests a V([12]) stream with secrets and the body `+steps.JSONString+`$`, func(w *world, version, body string) error {
			return w.requestWithSecrets(int(version[0]-'0'), body)
		})
		steps.Step1(v, k, `^the stream passes "([a-z]+)"$`, (*world).pass)
		steps.Step1(v, k, `^the client has `+steps.JSONString+`$`, func(w *world, text string) error { return w.has(text) })
	})
}

func streaming(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^the client has `+steps.JSONString+` while the stream waits$`, (*world).has)
	steps.Step1(v, features.Then, `^the text of the stream is `+steps.JSONString+`$`, (*world).textIs)
	steps.Step1(v, features.Then, `^the stream sends ([A-Za-z_]+(?:, [A-Za-z_]+)*)$`, (*world).sends)
	steps.Doc1(v, features.Then, `^the stream sends:$`, (*world).sendsThese)
	steps.Step0(v, features.Then, `^the stream shows no title$`, untitled)
	steps.Step2(v, features.Then, `^the texts `+steps.JSONString+` and `+steps.JSONString+` have different indexes$`, (*world).indexesDiffer)
	steps.Step1(v, features.Then, `^the slices have (\d+(?:, \d+)*(?: or \d+(?:, \d+)*)*) characters$`, (*world).slicesHave)
	steps.Step1(v, features.Then, `^the stream holds nothing of `+steps.JSONString+`$`, containsNothing)
	steps.Step0(v, features.Then, `^the answer holds no secret$`, keepsSecrets)
	steps.Step1(v, features.Then, `^the server says nothing of `+steps.JSONString+`$`, containsNoText)
}

// has waits until the client has a text, while the stream goes on.
func (w *world) has(quoted string) error {
	want, err := strconv.Unquote(quoted)
	if err != nil {
		return steps.Faultf("%s is no string", quoted)
	}
	for Text(w.version, w.frames) != want {
		f, err := w.next("the text " + quoted)
		got, other := Text(w.version, w.frames), otherForm(w.version, w.frames)
		switch {
		case err != nil && other == "":
			return err
		case err != nil || f == nil || !strings.HasPrefix(want, got):
			return w.failure("what the client has"+other, quoted, strconv.Quote(got))
		}
	}
	w.Saw(1)
	return nil
}

// textIs compares the text of a stream that is over.
func (w *world) textIs(quoted string) error {
	var want string
	if err := json.Unmarshal([]byte(quoted), &want); err != nil {
		return steps.Faultf("%s is no JSON string", quoted)
	}
	if err := w.readToEnd(); err != nil {
		return err
	}
	w.Saw(1)
	if got := Text(w.version, w.frames); got != want {
		return w.failure("the text of the stream"+otherForm(w.version, w.frames), quoted, string(steps.Encode(got)))
	}
	return nil
}

// sends compares the names of the events, where several messages or steps in a row count as one, and a step that comes again as
// none.
func (w *world) sends(list string) error {
	if err := w.readToEnd(); err != nil {
		return err
	}
	var got []string
	var before []shown
	for _, f := range w.frames {
		name := f.Event
		if name == "" {
			name = "message"
		}
		s, compared := w.show(f)
		if !compared && (name == "message" || name == "progress") || again(before, s) {
			continue
		}
		before = append(before, s)
		if isKnown(name) && (len(got) == 0 || got[len(got)-1] != name) {
			got = append(got, name)
		}
	}
	w.Saw(1)
	if came := strings.Join(got, ", "); came != list {
		return w.failure("the events of the stream", list, came)
	}
	return nil
}

func isKnown(name string) bool {
	return slices.Contains([]string{"INIT_MESSAGE_CONTENT", "message", "progress", "attachments", "end"}, name)
}

// slicesHave compares how long the first slices are with some lists: a server may measure before its first slice, or begin with
// five characters, and may send the remainder of a text with the next one.
func (w *world) slicesHave(lists string) error {
	want := strings.Split(lists, " or ")
	var got []string
	for !slices.Contains(want, strings.Join(got, ", ")) {
		came := strings.Join(append(got[:len(got):len(got)], ""), ", ")
		longer := slices.ContainsFunc(want, func(list string) bool { return strings.HasPrefix(list, came) })
		if !longer && len(got) > strings.Count(want[0], ",") {
			break
		}
		f, err := w.next(fmt.Sprintf("%s slices", lists))
		if err != nil {
			return err
		}
		if f == nil {
			break
		}
		if inner, ok := innerData(w.version, f); ok {
			got = append(got, strconv.Itoa(utf8.RuneCountInString(unquoted(inner))))
		}
	}
	w.Saw(1)
	if came := strings.Join(got, ", "); !slices.Contains(want, came) {
		return w.failure("how many characters the slices have", lists, came)
	}
	return nil
}

// containsNothing searches for a text in all data that the client received, and in the concatenated texts.
func containsNothing(w *world, quoted string) error {
	if err := w.readToEnd(); err != nil {
		return err
	}
	w.Saw(1)
	return w.without(quoted, w.frames)
}

// keepsSecrets checks that an answer has none of the secrets of its request.
func keepsSecrets(w *world) error {
	v, err := w.reader.Ended()
	if err != nil {
		return err
	}
	w.Saw(1)
	if steps.RepeatsSecret(v) {
		return w.failure("the answer repeats a secret of the request", "no secret", steps.StatusOf(v))
	}
	return nil
}

// containsNoText is containsNothing for a request that may be refused.
func containsNoText(w *world, quoted string) error {
	if _, err := w.reader.Ended(); err != nil {
		return err
	}
	w.Saw(1)
	return w.without(quoted, w.reader.Now().Frames)
}

func (w *world) without(quoted string, frames []*wire.Frame) error {
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		return steps.Faultf("%s is no JSON string", quoted)
	}
	found := strings.Contains(Text(w.version, frames), text)
	for _, f := range frames {
		found = found || strings.Contains(string(f.Data), text)
	}
	if found {
		return w.failure("the stream shows what it should keep", "nothing of "+quoted, string(steps.Encode(Text(w.version, frames))))
	}
	return nil
}

func adding(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^the aggregate of the stream has the text `+steps.JSONString+`$`, (*world).addsUpTo)
	steps.Step2(v, features.Then, `^the (toolCalls|usage|citations|reasoningContent) of the aggregate (?:is|are) (.+)$`, (*world).aggregates)
	steps.Doc2(v, features.Then, `^the (toolCalls) of the aggregate are:$`, (*world).aggregates)
}

// aggregate requests the aggregate of the stream, once it is over. It is a JSON object.
func (w *world) aggregate() ([]byte, error) {
	if err := w.readToEnd(); err != nil {
		return nil, err
	}
	answer, err := merlin.Aggregate(w.Session(), w.name, w.Step())
	if err != nil {
		return nil, err
	}
	switch v := answer.Now(); v.Status {
	case 200:
		total, err := steps.Decode(v.Answer)
		if _, is := total.(map[string]any); err != nil || !is {
			return nil, w.failure("the aggregate of the stream", "a JSON object", steps.StatusOf(v))
		}
		return v.Answer, nil
	case 404, 405, 501:
		return nil, &steps.Unprovable{Reason: fmt.Sprintf("control call GET %s answered %d", answer.Path, v.Status)}
	default:
		return nil, steps.Refused(answer, "the request for the aggregate")
	}
}

// addsUpTo compares the text of the aggregate, whatever pieces it is in.
func (w *world) addsUpTo(quoted string) error {
	var want string
	if err := json.Unmarshal([]byte(quoted), &want); err != nil {
		return steps.Faultf("%s is no JSON string", quoted)
	}
	total, err := w.aggregate()
	if err != nil {
		return err
	}
	w.Saw(1)
	if got := model.Joined(total); got != want {
		return w.failure("the text of the aggregate", quoted, string(steps.Encode(got)))
	}
	return nil
}

// aggregates compares a member of the aggregate. One that is absent is the same as an empty list, and reasoning of one index
// may be joined.
func (w *world) aggregates(member, text string) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is no JSON", text)
	}
	total, err := w.aggregate()
	if err != nil {
		return err
	}
	whole, err := steps.Decode(total)
	if err != nil {
		return fmt.Errorf("reading an aggregate: %w", err)
	}
	got := steps.MemberOf(whole, member)
	if list, is := want.([]any); is && len(list) == 0 && got == nil {
		got = list
	}
	w.Saw(1)
	if !contains(want, got, nil) && (member != "reasoningContent" || !contains(joined(want), joined(got), nil)) {
		return w.failure("the "+member+" of the aggregate", text, string(steps.Encode(got)))
	}
	return nil
}

// joined merges reasoning with one index; other values than a list of reasoning are returned unchanged.
func joined(thoughts any) any {
	list, is := thoughts.([]any)
	if !is {
		return thoughts
	}
	var whole []any
	for _, thought := range list {
		at := slices.IndexFunc(whole, func(one any) bool { return steps.Same(steps.MemberOf(one, "index"), steps.MemberOf(thought, "index")) })
		if at < 0 {
			whole = append(whole, thought)
			continue
		}
		before, _ := steps.MemberOf(whole[at], "text").(string)
		text, _ := steps.MemberOf(thought, "text").(string)
		if one, is := whole[at].(map[string]any); is {
			one = maps.Clone(one)
			one["text"] = before + text
			whole[at] = one
		}
	}
	return whole
}
