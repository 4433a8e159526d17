package play

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// concurrentOpen has n clients open a writer of a new stream concurrently. They must open one stream, which accepts
// later chunks of each: helix.lifecycle.writer-creates, helix.lifecycle.many-writers. Then concurrent calls clean it up
// and end it.
func (p *play) concurrentOpen(n int) error {
	id := p.session.NewStream()
	s := &stream{
		Stream: streammodel.New(p.occasionCounts, streammodel.FamilyOf(id), "1"), id: id, writers: map[int]string{}, readers: map[int]*reader{},
	}
	var group sync.WaitGroup
	writers, errs := make([]string, n), make([]error, n)
	for i := range n {
		group.Go(func() { writers[i], errs[i] = p.openedWriter(s) })
	}
	group.Wait()
	for i, writer := range writers {
		if errs[i] != nil {
			return errs[i]
		}
		s.writers[i+1] = writer
	}
	for i := range n {
		if err := p.write(s, program.Operation{Who: i + 1, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}); err != nil {
			return err
		}
	}
	if err := p.inspections.info(s); err != nil {
		return err
	}
	if err := p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
		return err
	}
	if err := p.readerOps.drain(s.readers[1]); err != nil {
		return err
	}
	if err := p.readerOps.disconnect(s.readers[1]); err != nil {
		return err
	}
	if err := p.concurrent.concurrentRemovals(s); err != nil {
		return err
	}
	return p.concurrent.concurrentEnd(s, n)
}

// openedWriter opens a writer of a stream while others do and returns its id.
func (p *play) openedWriter(s *stream) (string, error) {
	const rule = "helix.lifecycle.many-writers"
	call, accepted, err := p.calls.call(s, rule, "POST", "/writers", map[string]any{"agentId": data.Agent, "agentType": "assistant"})
	var answer struct {
		WriterID string `json:"writerId"`
	}
	switch {
	case err != nil:
		return "", err
	case !accepted:
		return "", campaign.Broken(call, rule, "2xx", fmt.Sprint(call.Now().Status), "a writer was refused while others began the stream")
	case json.Unmarshal(call.Now().Answer, &answer) != nil || answer.WriterID == "":
		return "", campaign.Broken(call, rule, "a writerId", string(call.Now().Answer), "opening a writer returned none")
	}
	return answer.WriterID, nil
}
