package stream

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/model"
)

// streamInfo is a decoded StreamInfo; [readInfo] returns none with a nil member.
type streamInfo struct {
	Status         *Status  `json:"status"`         // nil only before it was checked
	LatestSequence *float64 `json:"latestSequence"` // 2.0 is an integer
	ChunkCount     *float64 `json:"chunkCount"`     // 2.0 is an integer
}

// readInfo reads a StreamInfo, which must be complete.
func readInfo(status int, body []byte) (got streamInfo, err error) {
	if err := json.Unmarshal(body, &got); status != 200 || err != nil || got.Status == nil || got.LatestSequence == nil || got.ChunkCount == nil {
		return got, model.Violated("helix.status.info-members", "200 with status, latestSequence and chunkCount", strconv.Itoa(status)+" "+model.Clipped(body), "StreamInfo isn't whole")
	}
	if !slices.Contains([]Status{Active, Paused, Ended, Failed}, *got.Status) {
		return got, model.Violated("helix.status.info-word", "a status of a stream", string(*got.Status), "the status of StreamInfo is no status of a stream")
	}
	return got, nil
}

// Info judges a StreamInfo.
func (s *Stream) Info(status int, body []byte) error {
	got, err := readInfo(status, body)
	if err != nil {
		return err
	}
	if err := s.checkStatus(*got.Status); err != nil {
		return err
	}
	if err := s.log.checkCount(*got.ChunkCount, s.refused); err != nil {
		return err
	}
	s.refused = 0
	s.Occasions.Saw("helix.status.info-members", "helix.status.info-word", "helix.status.transitions", "helix.status.count", "helix.status.latest")
	if s.restart.status == Paused {
		s.Occasions.Saw("helix.durable.status")
	}
	if s.calledFinished {
		s.Occasions.Saw("helix.status.final")
	}
	if s.log.cleanups > s.log.resets {
		s.Occasions.Saw("helix.truncation.count-after", "helix.truncation.latest-kept")
	}
	return s.log.checkLatest(int64(*got.LatestSequence))
}

func (s *Stream) checkStatus(got Status) error {
	switch {
	case got == s.status || s.produced && !s.Finished():
		return nil
	case s.restart.status == s.status:
		return model.Violated("helix.durable.status", string(s.status), string(got), "StreamInfo has another status than before the restart")
	}
	rule := map[bool]string{true: "helix.status.final", false: "helix.status.transitions"}[s.calledFinished]
	return model.Violated(rule, string(s.status), string(got), "StreamInfo has another status")
}

// checkCount judges chunkCount; refused is how many chunks were in arrays that the server refused.
func (l *chunkLog) checkCount(got float64, refused int) error {
	n, mayWait := l.stored()
	if mayWait || got == float64(n) {
		return nil
	}
	rule, message := "helix.status.count", "chunkCount isn't what is stored"
	switch more := got - float64(n); {
	case more > 0 && more <= float64(refused):
		rule, message = "helix.chunks.all-or-nothing", "chunkCount grew with an array that was refused"
	case l.epoch > 0 && l.isEmpty():
		rule = "helix.truncation.reset-empties"
	case l.cleanups > l.resets:
		rule = "helix.truncation.count-after"
	}
	return model.Violated(rule, strconv.Itoa(n), fmt.Sprint(got), "%s", message)
}

// checkLatest judges latestSequence. Before the first chunk after a reset it stays, or is 0.
func (l *chunkLog) checkLatest(got int64) error {
	known, sure := l.highest()
	switch {
	case l.isEmpty() && got == 0, !l.isEmpty() && !sure && got >= known, got == known && sure:
		return nil
	case l.isEmpty() && l.epoch > 0 && !sure && got >= known:
		return nil
	}
	rule := "helix.status.latest"
	if l.cleanups > 0 && got < known {
		rule = "helix.truncation.latest-kept"
	}
	return model.Violated(rule, ids(known), ids(got), "latestSequence isn't the id of the last chunk")
}
