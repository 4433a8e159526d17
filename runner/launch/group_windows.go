package launch

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the server and everything that it started, in a job that ends with
// its last handle: with Stop, or with this process.
type group struct {
	id  uint32
	job windows.Handle
}

// startGroup starts a process in a new group and job. A process that it starts before it is in the job escapes; that is a
// moment.
func startGroup(cmd *exec.Cmd, _, _ string) (group, error) {
	var g group
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g, fmt.Errorf("making a job: %w", err)
	}
	g.job = job
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		g.kill()
		return g, fmt.Errorf("making a job: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		g.kill()
		return g, err
	}
	g.id = uint32(cmd.Process.Pid)
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, g.id)
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.kill()
		return g, fmt.Errorf("putting the server into a job: %w", err)
	}
	return g, nil
}

// sendStop sends Ctrl-Break, the only signal that a group can be sent there.
func (g group) sendStop() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.id) }

// kill ends everything in the job and lets go of it.
func (g group) kill() {
	_ = windows.TerminateJobObject(g.job, 1)
	_ = windows.CloseHandle(g.job)
}
