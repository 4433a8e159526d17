package provider

import "sync"

// playing is a script with the state of its barriers and requests.
type playing struct {
	Script
	name string        // that the marker has
	over chan struct{} // closed when the script is dropped; nil: it never is

	mu             sync.Mutex               // guards all below
	barriers       map[string]chan struct{} // closed once released
	requestedSteps int                      // the largest number of steps that was requested
	fitted         map[int]string           // arguments of calls that were changed, by their index in Tools
}

// barrier returns the channel of a barrier, closed once it is open.
func (s *playing) barrier(name string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made(name)
}

// made returns the channel of a barrier. The script is locked.
func (s *playing) made(name string) chan struct{} {
	if s.barriers == nil {
		s.barriers = map[string]chan struct{}{}
	}
	if s.barriers[name] == nil {
		s.barriers[name] = make(chan struct{})
	}
	return s.barriers[name]
}

// release opens a barrier, which may be open already.
func (s *playing) release(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	barrier := s.made(name)
	select {
	case <-barrier:
	default:
		close(barrier)
	}
}
