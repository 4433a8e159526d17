//go:build unix

package launch

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// group is the server with all processes that it started. The guard leads it, so that its id isn't reused before Stop.
type group struct {
	stop  syscall.Signal
	guard *exec.Cmd
	// alive is open for as long as this process runs; the guard reads its other end.
	alive io.Closer
}

var signals = map[string]syscall.Signal{
	"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP, "SIGQUIT": syscall.SIGQUIT,
	"SIGUSR1": syscall.SIGUSR1, "SIGUSR2": syscall.SIGUSR2, "SIGKILL": syscall.SIGKILL,
}

// guard is a shell script that kills its group, itself included, once the pipe that it reads ends: the suite has died, or
// doesn't need the group any more. Before, it kills processes with its first argument in their environment, if the system
// shows environments.
const guard = `trap "" TERM INT HUP QUIT USR1 USR2; read -r line
for p in /proc/[0-9]*; do grep -qsa "$1=" "$p/environ" && kill -KILL "${p#/proc/}"; done
kill -KILL 0`

// startGroup starts the guard, and then the process in the guard's group. mark is the name of a variable in the environment
// of the process.
func startGroup(cmd *exec.Cmd, stop, mark string) (group, error) {
	g := group{stop: signals[stop], guard: exec.Command("/bin/sh", "-c", guard, "guard", mark)}
	g.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	if g.alive, err = g.guard.StdinPipe(); err != nil {
		return g, fmt.Errorf("making the guard: %w", err)
	}
	if err := g.guard.Start(); err != nil {
		return g, fmt.Errorf("starting the guard: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	if err := cmd.Start(); err != nil {
		g.kill()
		return g, err
	}
	return g, nil
}

// sendStop ignores the error if no process is left.
func (g group) sendStop() { _ = syscall.Kill(-g.guard.Process.Pid, g.stop) }

// kill ends the group and lets go of its id.
func (g group) kill() {
	_ = syscall.Kill(-g.guard.Process.Pid, syscall.SIGKILL)
	_ = g.alive.Close()
	_ = g.guard.Wait()
}
