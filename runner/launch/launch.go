package launch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/target"
)

const (
	defaultTimeout = 30 * time.Second
	// grace is the time after which a server that got the signal to end is killed.
	grace = 5 * time.Second
	// hurry replaces grace after an interrupt of the run.
	hurry = time.Second / 2
	// stopTimeout bounds one question whether the server answers.
	stopTimeout = 2 * time.Second
	// Between questions it is waited longer and longer, from first to most.
	first, most = 10 * time.Millisecond, 250 * time.Millisecond
)

// Error is a server that could not be started, never got ready, or ended by itself. Error returns one line; Output is the
// end of the server's output, without the secrets of its environment.
type Error struct {
	Message string
	Output  string
	Cause   error // why the command could not be started; nil if it was
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Cause }

// Server is a running server. Stop must be called, and may be called again.
type Server struct {
	cmd    *exec.Cmd
	group  group
	output *tail
	name   string
	mark   string // the name of a variable in the environment of all that the server starts
	grace  time.Duration
	// unasked: it is killed without a request to end.
	unasked bool

	ended chan struct{} // closed once the process has ended
	err   error         // of Wait; read it after ended
	once  sync.Once
	by    *Error // an end without a request
}

// Start starts the server of a config and waits until it answers. After an error no process is left. Errors are *Error, or
// of ctx.
func Start(ctx context.Context, cfg target.Config) (*Server, error) {
	return launch(ctx, cfg, &tail{})
}

// launch is Start, with a buffer for the server's output.
func launch(ctx context.Context, cfg target.Config, output *tail) (*Server, error) {
	l := cfg.Launch
	ready := cmp.Or(l.Ready, cfg.URL)
	if cfg.TLS.Answers(ctx, ready, stopTimeout) == nil {
		return nil, &Error{Message: fmt.Sprintf("launch: something answers at %s already; stop it, or certify it as it runs with --target URL", ready)}
	}
	s, err := start(l, grace, output)
	if err != nil {
		return nil, err
	}
	if err := s.await(ctx, cfg.TLS, ready, cmp.Or(l.Timeout, defaultTimeout)); err != nil {
		_ = s.Stop(ctx) // err says more
		return nil, err
	}
	return s, nil
}

// start starts the process without waiting for its answer.
func start(l target.Launch, grace time.Duration, output *tail) (*Server, error) {
	s := &Server{output: output, name: strings.Join(l.Command, " "), grace: grace, ended: make(chan struct{})}
	s.cmd = exec.Command(l.Command[0], l.Command[1:]...)
	s.mark = "STREAMCERT_LAUNCH_" + rand.Text()
	s.cmd.Dir, s.cmd.Env = l.Cwd, append(append(os.Environ(), l.Env...), s.mark+"=1")
	s.cmd.Stdout, s.cmd.Stderr = s.output, s.output
	// A grandchild with an open pipe must not delay Wait.
	s.cmd.WaitDelay = time.Second
	var err error
	if s.group, err = startGroup(s.cmd, cmp.Or(l.Stop, "SIGTERM"), s.mark); err != nil {
		return nil, &Error{Message: fmt.Sprintf("launch: starting %s: %v; see launch.command of the config", l.Command[0], err), Cause: err}
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	return s, nil
}

// await sends requests until one is answered.
func (s *Server) await(ctx context.Context, t target.TLS, url string, timeout time.Duration) error {
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	pause := first
	for {
		err := t.Answers(ctx, url, min(stopTimeout, timeout))
		select { // another server may answer after ours has ended
		case <-s.ended:
			return s.failed("ended before it was ready at %s (%s)", url, s.state())
		default:
		}
		if err == nil {
			return nil
		}
		if target.Distrusted(err) { // it won't be another one by waiting
			return s.failed("can't be asked at %s whether it is ready: %v%s", url, err, target.Remedy(err))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("launch: waiting for the server: %w", context.Cause(ctx))
		case <-s.ended:
		case <-limit.C:
			return s.failed("was not ready within %v: %v%s; see launch.ready and launch.timeout of the config", timeout, err, s.elsewhere(url))
		case <-time.After(pause):
			pause = min(2*pause, most)
		}
	}
}

func (s *Server) failed(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf("launch: the server (%s) ", s.name) + fmt.Sprintf(format, args...), Output: secretsOf(s.cmd.Env).Redact(s.output.String())}
}

// state returns how the process ended.
func (s *Server) state() string {
	if s.err != nil && !errors.Is(s.err, exec.ErrWaitDelay) {
		return s.err.Error()
	}
	return "exit status 0"
}

// within reports whether the server has ended, waiting for it that long at most, and no longer than hurry once ctx has ended.
func (s *Server) within(ctx context.Context, d time.Duration) bool {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-s.ended:
		return true
	case <-wait.C:
		return false
	case <-ctx.Done():
	}
	wait.Reset(min(d, hurry))
	select {
	case <-s.ended:
		return true
	case <-wait.C:
		return false
	}
}

// Stop asks the server to end, kills it and everything that it started after a while, and returns once it is gone. The end
// of ctx makes the while half a second. The error is a *Error if the server had ended by itself before, or can't be killed.
func (s *Server) Stop(ctx context.Context) error {
	s.once.Do(func() {
		select {
		case <-s.ended:
			s.by = s.failed("ended by itself during the run (%s)", s.state())
		default:
			if !s.unasked {
				s.group.sendStop()
				s.within(ctx, s.grace)
			}
		}
		// Also processes that the server had started.
		s.group.kill()
		if !s.within(context.Background(), grace) {
			s.by = s.failed("can't be killed; look for process %d", s.cmd.Process.Pid)
		}
		if left := endEscaped(s.mark); len(left) > 0 && s.by == nil {
			s.by = s.failed("started processes that can't be killed; look for %v", left)
		}
	})
	if s.by == nil {
		return nil
	}
	return s.by
}

// kill ends the server at once. The error is a *Error if it had ended by itself before, or can't be killed.
func (s *Server) kill() error {
	s.unasked = true
	return s.Stop(context.Background())
}
