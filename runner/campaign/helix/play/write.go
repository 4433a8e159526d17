package play

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// most bounds the bytes to all readers of a program before they receive them: a scenario stores so many.
const most = 16 << 20

func (p *play) write(s *stream, o program.Operation) error {
	if s.Finished() && s.writers[o.Who] == "" {
		return nil
	}
	limits := p.target.Limits().Within()
	o.Size = min(o.Size, int(min(limits.String, limits.Chunk-1<<10)))
	if o.Count = min(o.Count, limits.Events-s.Written()); o.Count < 1 {
		return nil
	}
	for first, done := s.Written(), 0; done < o.Count; done += o.Each {
		n := min(o.Each, o.Count-done)
		if err := p.readerOps.capacity(n * (o.Size + 600) * (1 + len(s.readers))); err != nil {
			return err
		}
		turn := o
		if o.Class == program.EqualText && !s.Finished() { // two writers in turn, each of which repeats twice the text of the other
			turn.Who += done / o.Each / 2 % 2
		}
		if s.writers[turn.Who] == "" {
			if _, err := p.calls.open(s, turn.Who, false); err != nil {
				return err
			}
		}
		if err := p.append(s, turn, n, first); err != nil {
			return err
		}
	}
	return nil
}

// append makes one call that writes n chunks of an operation; first is how many the stream had before the operation.
func (p *play) append(s *stream, o program.Operation, n, first int) error {
	chunks, body := data.ChunksOf(s.Stream, o, n, first)
	body = data.Respelled(body, s.Written())
	path := "/writers/" + target.EscapeSegment(s.writers[o.Who]) + "/chunks"
	if s.Finished() {
		return p.calls.refused(s, "helix.lifecycle.write-after-end", path, body)
	}
	if data.MayRefuse(o) == "" && o.Size < 48<<10 {
		call, err := p.calls.must(s, s.requirementFor(), "POST", path, body)
		if err == nil {
			p.wrote(s, call, chunks)
		}
		return err
	}
	call, accepted, err := p.calls.call(s, "helix.chunks.types", "POST", path, body)
	switch declared := p.target.Limits(); {
	case err != nil:
		return err
	case accepted:
		p.wrote(s, call, chunks)
	case data.MayRefuse(o) == "" && (call.Now().Status != 413 || declared.String > 0 || declared.Chunk > 0):
		return campaign.Broken(call, "helix.chunks.types", "2xx", fmt.Sprint(call.Now().Status), "a chunk of %d bytes was refused", o.Size)
	}
	return nil
}

// wrote reports accepted chunks to the model and releases their call.
func (p *play) wrote(s *stream, call *target.Exchange, chunks []*streammodel.Chunk) {
	s.Write(chunks...)
	for _, c := range chunks {
		s.size += int64(len(c.Body))
		s.largest = max(s.largest, len(c.Body))
	}
	p.session.ForgetCall(call)
}
