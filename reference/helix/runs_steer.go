package helix

import (
	"encoding/json"

	"github.com/streamcert/streamcert/reference/runtime"
)

func releaseRun(s *runtime.Session, body []byte) (string, error) {
	var release struct {
		Barrier string `json:"barrier"`
	}
	if err := decodeObject(body, &release); err != nil {
		return "", err
	}
	if release.Barrier == "" {
		return "", invalid("a release needs a /barrier")
	}
	s.Release(release.Barrier)
	return "", nil
}

func interruptRun(s *runtime.Session, body []byte) (string, error) {
	var interrupt struct {
		Reason string `json:"reason"`
	}
	if err := decodeObject(body, &interrupt); err != nil {
		return "", err
	}
	return "", s.Interrupt(interrupt.Reason)
}

func resumeRun(s *runtime.Session, body []byte) (string, error) {
	var resume struct {
		Mode             string `json:"mode"`
		FromCheckpointID string `json:"fromCheckpointId"`
	}
	if err := decodeObject(body, &resume); err != nil {
		return "", err
	}
	if resume.Mode == "" {
		return "", invalid("resuming needs a /mode")
	}
	return s.Resume(resume.Mode, resume.FromCheckpointID)
}

func answerRun(s *runtime.Session, body []byte) (string, error) {
	var result struct {
		ToolCallID string          `json:"toolCallId"`
		Approved   *bool           `json:"approved"`
		Result     json.RawMessage `json:"result"`
		Error      *string         `json:"error"`
	}
	if err := decodeObject(body, &result); err != nil {
		return "", err
	}
	given := 0
	for _, there := range []bool{result.Approved != nil, result.Result != nil, result.Error != nil} {
		if there {
			given++
		}
	}
	if result.ToolCallID == "" || given != 1 {
		return "", invalid("an answer needs a /toolCallId and one of /approved, /result and /error")
	}
	return "", s.Answer(result.ToolCallID, runtime.Answer{
		Approved: result.Approved, Result: result.Result, Error: result.Error,
	})
}

// checkpointOf reads a body that names a checkpoint.
func checkpointOf(body []byte, needed bool) (string, error) {
	var at struct {
		CheckpointID string `json:"checkpointId"`
	}
	if err := decodeObject(body, &at); err != nil {
		return "", err
	}
	if needed && at.CheckpointID == "" {
		return "", invalid("this needs a /checkpointId")
	}
	return at.CheckpointID, nil
}

func rollbackRun(s *runtime.Session, body []byte) (string, error) {
	checkpoint, err := checkpointOf(body, true)
	if err != nil {
		return "", err
	}
	return "", s.Rollback(checkpoint)
}

func branchRun(s *runtime.Session, body []byte) (string, error) {
	checkpoint, err := checkpointOf(body, true)
	if err != nil {
		return "", err
	}
	return s.Branch(checkpoint)
}

func retryRun(s *runtime.Session, body []byte) (string, error) {
	checkpoint, err := checkpointOf(body, false)
	if err != nil {
		return "", err
	}
	return s.Retry(checkpoint)
}
