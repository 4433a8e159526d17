package release

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// revision reads a git revision, without checking it out. ls-tree and cat-file run no program that the repository names, as
// archive does (filters, tar.*.command).
func (o Opener) revision(ctx context.Context, name string) (Source, error) {
	if strings.HasPrefix(name, "-") {
		return Source{}, fmt.Errorf("%q is neither a folder, a version nor a git revision", name)
	}
	// The samples are in it too: the suite of a later version certifies them.
	list, err := o.git(ctx, nil, slices.Concat([]string{"ls-tree", "-r", "-z", "--long", name, "--"}, parts(), []string{"reference"})...)
	if err != nil {
		return Source{}, fmt.Errorf("%q is neither a folder nor a released version, and git can't read it as a revision: %w", name, err)
	}
	blobs, err := blobsOf(list)
	if err == nil && len(blobs) == 0 {
		err = fmt.Errorf("it has none of the folders %s", strings.Join(parts(), ", "))
	}
	if err != nil {
		return Source{}, fmt.Errorf("reading the git revision %s: %w", name, err)
	}
	files, err := o.contents(ctx, blobs)
	if err != nil {
		return Source{}, fmt.Errorf("reading the git revision %s: %w", name, err)
	}
	return Source{Name: name, Files: files}, nil
}

// git runs one command of git, for at most mostList bytes of output.
func (o Opener) git(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := o.piped(ctx, in, func(r io.Reader) error {
		if n, err := io.Copy(&out, io.LimitReader(r, mostList+1)); err != nil || n > mostList {
			return errors.Join(err, fmt.Errorf("it lists more than %d MiB of names", mostList>>20))
		}
		return nil
	}, args...)
	return out.Bytes(), err
}

// mostList bounds the list of the files of a revision: a line of mostFiles has some 100 bytes.
const mostList = 8 << 20

// piped runs a command of git and reads its output. The error of read comes before that of git.
func (o Opener) piped(ctx context.Context, in io.Reader, read func(io.Reader) error, args ...string) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	var errs bytes.Buffer
	cmd := exec.CommandContext(running, "git", slices.Concat([]string{"--no-pager", "-c", "core.fsmonitor=false"}, args)...)
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1") // a partial clone asks the server that its config names
	cmd.Dir, cmd.Stdin, cmd.Stderr = o.Dir, in, &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("there is no program git on the PATH")
	}
	if err != nil {
		return err
	}
	if err := read(out); err != nil {
		stop()
		_ = cmd.Wait() // it was ended
		return cmp.Or(ctx.Err(), err)
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if said == "" {
			return err
		}
		return errors.New(said)
	}
	return nil
}

// blob is a file of a revision.
type blob struct{ object, name string }

// blobsOf parses the output of ls-tree -z --long: mode, type, object, size and a name to the next NUL. Links and submodules
// are left out. Oversized files are refused before any is read.
func blobsOf(list []byte) ([]blob, error) {
	var out []blob
	size := int64(0)
	for line := range bytes.SplitSeq(bytes.TrimSuffix(list, []byte{0}), []byte{0}) {
		head, name, _ := strings.Cut(string(line), "\t")
		if f := strings.Fields(head); len(f) == 4 && f[1] == "blob" && f[0] != "120000" && fs.ValidPath(name) {
			n, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git names no size of %s: %w", name, err)
			}
			out, size = append(out, blob{f[2], name}), size+n
		}
		if size > mostBytes {
			return nil, fmt.Errorf("its files hold more than %d MiB", mostBytes>>20)
		}
		if len(out) > mostFiles {
			return nil, fmt.Errorf("it holds more than %d files", mostFiles)
		}
	}
	return out, nil
}

// contents reads files of a repository as they are stored.
func (o Opener) contents(ctx context.Context, blobs []blob) (fs.FS, error) {
	var objects strings.Builder
	for _, b := range blobs {
		objects.WriteString(b.object + "\n")
	}
	m := newMemory()
	err := o.piped(ctx, strings.NewReader(objects.String()), func(r io.Reader) error {
		in := bufio.NewReader(r)
		for _, b := range blobs {
			head, err := in.ReadString('\n') // object, type, size
			if err != nil {
				return fmt.Errorf("git ends before %s: %w", b.name, err)
			}
			f := strings.Fields(head)
			if len(f) != 3 || f[1] != "blob" {
				return fmt.Errorf("git has no content of %s: %s", b.name, strings.TrimSpace(head))
			}
			size, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				return fmt.Errorf("git names no size of %s: %w", b.name, err)
			}
			if err := m.add(b.name, size, in); err != nil {
				return err
			}
			if _, err := in.Discard(1); err != nil { // the line end after the content
				return fmt.Errorf("git ends after %s: %w", b.name, err)
			}
		}
		return nil
	}, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return m.fs()
}
