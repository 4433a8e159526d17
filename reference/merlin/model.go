package merlin

import (
	"errors"
	"io"

	"github.com/streamcert/streamcert/reference/model"
)

const (
	mostWaiting  = 1 << 10  // pieces of a model that wait to be streamed
	longestPiece = 32 << 10 // bytes
)

// requestModel streams the answer of a model. A failed or interrupted answer is a failure of the stream. merlin.failure.ends
func (s *stream) requestModel(from *model.Client, message string) error {
	body, err := from.Stream(s.ctx, []model.Message{{Role: "user", Content: message}})
	if err != nil {
		s.c.Failed = true
		return s.ctx.Err()
	}
	defer body.Close()
	pieces, broken := make(chan []byte, mostWaiting), make(chan error, 1)
	go func() {
		defer close(pieces)
		broken <- s.receive(body, pieces)
	}()
	for piece := range pieces {
		if err := s.feed(&s.from, s.main, piece, len(pieces)); err != nil { // merlin.wire.live
			return err
		}
	}
	s.c.Failed = !errors.Is(<-broken, io.EOF) || s.c.Failed // merlin.failure.kept: the streamed content stays
	return s.ctx.Err()
}

// receive reads pieces as they come. The error is io.EOF at the end of the answer.
func (s *stream) receive(body io.Reader, pieces chan<- []byte) error {
	for {
		piece := make([]byte, longestPiece)
		n, err := body.Read(piece)
		if n > 0 {
			select {
			case pieces <- piece[:n]:
			case <-s.ctx.Done():
				return s.ctx.Err()
			}
		}
		if err != nil {
			return err
		}
	}
}
