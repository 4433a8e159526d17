package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// mostMemory limits the memory of a command for any server, file or working copy.
const mostMemory = 300 << 20

// TestMemoryOfCommands runs each command against hostile input, in a separate process, and measures its peak memory. A run
// is interrupted after eight seconds. Without STREAMCERT_SOAK a tenth of them is drawn. The runs of certify against hostile
// servers are in package hostile.
func TestMemoryOfCommands(t *testing.T) {
	all, longest := interruptions(t), 8*time.Second
	if os.Getenv("STREAMCERT_SOAK") == "" {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all, longest = all[:len(all)/10], 5*time.Second
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.name, "mutants") || c.name == "variants" {
				t.Skip("several servers run in its process, and it may take 1 GiB for them")
			}
			if c.needs != nil {
				c.line = append(c.line, c.needs(t)...)
			}
			if c.reports {
				c.line = append(c.line, "--out", t.TempDir())
			}
			held := c.checkMemory(t, longest)
			if t.Logf("%s: %d MiB", c.name, held>>20); held > mostMemory {
				t.Errorf("it held %d MiB", held>>20)
			}
		})
	}
}

// checkMemory runs the command for a time at most and returns its peak memory in bytes.
func (c interruption) checkMemory(t *testing.T, longest time.Duration) int64 {
	cmd := program(c.line...)
	nothing, never, err := os.Pipe() // a standard input without a writer
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	defer nothing.Close()
	cmd.Stdin = nothing
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	interrupt := time.AfterFunc(longest, func() { _ = cmd.Process.Signal(os.Interrupt) })
	defer interrupt.Stop()
	kill := time.AfterFunc(longest+time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	held, ended := int64(0), make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The peak that the system reports includes the memory of the parent when it started the process.
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			held = max(held, peak(cmd.Process.Pid))
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
				t.Errorf("it ended: %v", err)
			}
			return held
		}
	}
}

// peak returns the most bytes that a process has used so far, 0 if it has ended.
func peak(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	kib := int64(0)
	_, _ = fmt.Sscan(after, &kib) // 0 of a process that has ended
	return kib << 10
}
