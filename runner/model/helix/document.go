package helix

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// streamInfo is what a StreamInfo says.
type streamInfo struct {
	Status         *Status  `json:"status"`
	LatestSequence *float64 `json:"latestSequence"` // 2.0 is an integer
	ChunkCount     *float64 `json:"chunkCount"`
}

// readInfo reads a StreamInfo, which must be whole.
func readInfo(status int, body []byte) (got streamInfo, err error) {
	if err := json.Unmarshal(body, &got); status != 200 || err != nil || got.Status == nil || got.LatestSequence == nil || got.ChunkCount == nil {
		return got, breach("helix.status.info-members", "200 with status, latestSequence and chunkCount", strconv.Itoa(status)+" "+clipped(body), "StreamInfo isn't whole")
	}
	if !slices.Contains([]Status{Active, Paused, Ended, Failed}, *got.Status) {
		return got, breach("helix.status.info-word", "a status of a stream", string(*got.Status), "the status of StreamInfo is no status of a stream")
	}
	return got, nil
}

// Info judges a StreamInfo.
func (s *Stream) Info(status int, body []byte) error {
	got, err := readInfo(status, body)
	if err != nil {
		return err
	}
	if *got.Status != s.status && (!s.produced || s.Finished()) {
		rule := map[bool]string{true: "helix.status.final", false: "helix.status.transitions"}[s.revived]
		return breach(rule, string(s.status), string(*got.Status), "StreamInfo has another status")
	}
	n, held := s.stored()
	if !held && *got.ChunkCount != float64(n) {
		rule := "helix.status.count"
		switch {
		case s.life > 0 && s.life == len(s.chunks):
			rule = "helix.truncation.reset-empties"
		case s.cleanups > s.resets:
			rule = "helix.truncation.count-after"
		}
		return breach(rule, strconv.Itoa(n), optional(got.ChunkCount), "chunkCount isn't what is stored")
	}
	for _, rule := range []string{"helix.status.info-members", "helix.status.info-word", "helix.status.transitions", "helix.status.count", "helix.status.latest"} {
		s.Ledger.saw(rule)
	}
	if s.revived {
		s.Ledger.saw("helix.status.final")
	}
	if s.cleanups > s.resets {
		s.Ledger.saw("helix.truncation.count-after")
		s.Ledger.saw("helix.truncation.latest-kept")
	}
	return s.latest(int64(*got.LatestSequence))
}

// latest judges latestSequence. Before the first chunk after a reset it stays, or is 0.
func (s *Stream) latest(got int64) error {
	known, sure := s.highest()
	switch {
	case s.life == len(s.chunks) && got == 0, s.life < len(s.chunks) && !sure && got >= known, got == known && sure:
		return nil
	case s.life == len(s.chunks) && s.life > 0 && !sure && got >= known:
		return nil
	}
	rule := "helix.status.latest"
	if s.cleanups > 0 && got < known {
		rule = "helix.truncation.latest-kept"
	}
	return breach(rule, ids(known), ids(got), "latestSequence isn't the id of the last chunk")
}

// Snapshot judges a snapshot with partial content, which nobody wrote during: its cut is the latest sequence.
func (s *Stream) Snapshot(status int, body []byte) error {
	var got struct {
		Status         Status   `json:"status"`
		StreamSequence *float64 `json:"streamSequence"`
		Messages       []struct {
			Parts []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &got); status != 200 || err != nil || got.StreamSequence == nil {
		return breach("helix.snapshot.document", "200 with a snapshot", strconv.Itoa(status)+" "+clipped(body), "a snapshot isn't whole")
	}
	if got.Status != s.status {
		return breach("helix.snapshot.status", string(s.status), string(got.Status), "a snapshot has another status")
	}
	if s.life == len(s.chunks) { // after a reset, the latest sequence stays, or is 0
		return nil
	}
	known, sure := s.highest()
	if at := int64(*got.StreamSequence); at < known || sure && at > known {
		return breach("helix.snapshot.sequence", ids(known), ids(at), "the streamSequence of a snapshot isn't the latest sequence")
	}
	var text strings.Builder
	for _, m := range got.Messages {
		for _, p := range m.Parts {
			if p.Type == "text" {
				text.WriteString(p.Text)
			}
		}
	}
	for _, c := range s.chunks {
		switch n := strings.Count(text.String(), c.Text); {
		case c.Text == "" || c.held:
		case c.removedBy != 0 && n > 0:
			return breach("helix.snapshot.exact", "nothing of it", strconv.Quote(c.Text), "a snapshot holds what %s said, which was removed", c.Marker)
		case c.removedBy == 0 && n != 1:
			return breach("helix.snapshot.exact", strconv.Quote(c.Text)+" once", strconv.Itoa(n)+" times", "a snapshot doesn't hold what %s said", c.Marker)
		}
	}
	for _, rule := range []string{"helix.snapshot.document", "helix.snapshot.status", "helix.snapshot.sequence", "helix.snapshot.exact"} {
		s.Ledger.saw(rule)
	}
	return nil
}
