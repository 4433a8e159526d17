package streams

import (
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func streamSteps(v *steps.Sentences[*world.World]) {
	steps.Step0(v, features.Given, `^a new stream$`, func(w *world.World) error {
		_, err := w.NewStream("", w.Session().NewStream())
		return err
	})
	steps.Step1(v, features.Given, `^a stream that holds `+world.Events+`$`, func(w *world.World, list string) error {
		s, err := w.NewStream("", w.Session().NewStream())
		if err != nil {
			return err
		}
		return s.WriteEvents("", list, false)
	})
	steps.Step1(v, features.Given, `^a stream whose events are of steps ([\d, none]+)$`, func(w *world.World, list string) error {
		s, err := w.NewStream("", w.Session().NewStream())
		if err != nil {
			return err
		}
		return s.WriteSteps(list)
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^writer "([^"]+)" is opened$`, world.OnStream1(world.OpenWriter))
	})
}

// Sentences registers the sentences on streams, their writers and clients.
func Sentences(v *steps.Sentences[*world.World]) {
	for _, add := range []func(*steps.Sentences[*world.World]){
		streamSteps, writeSteps, chunkSteps, chunkReceivedSteps, clientSteps, arrivalSteps, headSteps, resumeSteps, disconnectSteps, receiveSteps,
		finishSteps, truncationSteps, resetSteps, statusSteps, infoSteps, silenceSteps, requestSteps, isolationSteps,
		concurrentSteps, loadSteps, interopSteps, restartSteps, replicaSteps, replicaRaceSteps,
	} {
		add(v)
	}
}
