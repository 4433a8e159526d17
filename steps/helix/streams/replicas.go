package streams

import (
	"errors"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func replicaSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^replica (\d+) is asked from now on$`, turn)
		steps.Step1(v, k, `^replica (\d+) is killed$`, killReplica)
		steps.Step1(v, k, `^barrier "([^"]+)" is released on every replica$`, func(w *world.World, barrier string) error {
			return releaseOn(w, barrier, w.Session().Target().Replicas())
		})
		steps.Step2(v, k, `^barrier "([^"]+)" is released on replica (\d+)$`, releaseOn)
		steps.Step3(v, k, `^(\d+) writers write (\d+) events each at the same time, on (\d+) replicas$`, writeSpread)
		steps.Step4(v, k, `^(\d+) writers write (\d+) arrays of (\d+) events each at the same time, on (\d+) replicas$`, arraysSpread)
	})
}

// turn sends later requests to a replica. It may know the writers of other replicas or not.
func turn(w *world.World, replica int) error {
	if err := w.Session().TurnTo(replica); err != nil {
		return steps.Unreplicated(err)
	}
	for _, s := range w.Streams {
		forgetWriters(s)
		s.Reset = true
	}
	return nil
}

// killReplica kills a replica. Its clients lose their connections and resume.
func killReplica(w *world.World, replica int) error {
	return steps.Unreplicated(w.Session().KillReplica(replica))
}

// releaseOn releases a barrier on replicas 1 to last, so that the first executor comes before its successor. A replica
// that doesn't execute the run may refuse.
func releaseOn(w *world.World, barrier string, last int) error {
	r, err := run.Of(w)
	if err != nil {
		return err
	}
	body := steps.Encode(map[string]any{"barrier": barrier})
	for replica := range last {
		if r.Call, err = steps.CallAt(w.World, replica+1, "POST", "/runs/"+target.EscapeSegment(r.ID)+"/release", body, true); err != nil {
			return err
		}
	}
	return nil
}

// spread opens writers, each on the next replica.
func spread(s *world.Stream, writers, replicas int) error {
	if err := s.World.Session().Target().IsReplicated(); err != nil {
		return steps.Unreplicated(err)
	}
	for i := range writers {
		name := fmt.Sprint("w", i+1)
		s.Homes[name] = i%replicas + 1
		if err := world.OpenWriter(s, name); err != nil {
			return err
		}
	}
	return nil
}

// writeSpread has writers write concurrently, each on another replica.
func writeSpread(w *world.World, writers, each, replicas int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	if err := spread(s, writers, replicas); err != nil {
		return err
	}
	return writeAll(s, writers, each)
}

// arraysSpread has writers write arrays concurrently, each on another replica.
func arraysSpread(w *world.World, writers, arrays, each, replicas int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	if err := spread(s, writers, replicas); err != nil {
		return err
	}
	written, errs := make([][]*world.Array, writers), make([]error, writers)
	var all sync.WaitGroup
	for i := range written {
		all.Go(func() {
			for n := range arrays {
				a := arrayOf(s, i, n, each)
				call, err := world.Post(s, fmt.Sprint("w", i+1), steps.Encode(bodies(a.Events)))
				if err == nil && call.Now().Status/100 != 2 {
					err = steps.Refused(call, "the write of an array")
				}
				if errs[i] = err; err != nil {
					return
				}
				a.Answered = true
				written[i] = append(written[i], a)
			}
		})
	}
	all.Wait()
	for _, a := range written {
		s.Arrays = append(s.Arrays, a...)
	}
	return errors.Join(errs...)
}
