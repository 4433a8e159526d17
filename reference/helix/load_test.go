package helix_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

const (
	// Environment variables of a process of TestLoad: loadRole is its role, loadOf its target, and loadStore the URL of the
	// server's store.
	loadRole, loadOf, loadStore = "STREAMCERT_TEST_LOAD", "STREAMCERT_TEST_LOAD_OF", "STREAMCERT_TEST_LOAD_STORE"
	loadBatch                   = 10 // events of one write
	loadExtra                   = 64 // connections of the store and of writers that come and go
)

// TestLoadProcess is no test: a process of TestLoad, which ends when its standard input does.
func TestLoadProcess(t *testing.T) {
	switch os.Getenv(loadRole) {
	case "server":
		serveLoad(t)
	case "readers":
		readLoad(t)
	default:
		t.Skip("runs as a process of TestLoad only")
	}
}

// serveLoad serves the reference and prints where.
func serveLoad(t *testing.T) {
	var streams store.Store = new(store.Memory)
	if url := os.Getenv(loadStore); url != "" {
		kept, err := redis.Open(t.Context(), url, redis.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		streams = kept
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := helix.New(helix.Options{Store: streams})
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(l) }()
	fmt.Printf("at http://%s\n", l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	h.Close()
	_ = server.Close()
}

// readLoad attaches a reader to each of so many streams, prints "attached" when all are, and then the number of events for
// each line of input.
func readLoad(t *testing.T) {
	url, number, _ := strings.Cut(os.Getenv(loadOf), " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	transport := &http.Transport{MaxIdleConnsPerHost: -1, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10}
	var events atomic.Int64
	var reading, attaching sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range n {
		attaching.Add(1)
		reading.Go(func() {
			slots <- struct{}{}
			req, _ := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/streams/load-%d/events", url, i), nil) // of parts that are right
			answer, err := transport.RoundTrip(req)
			<-slots
			attaching.Done()
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			for lines := bufio.NewReaderSize(answer.Body, 1<<10); ; {
				line, err := lines.ReadSlice('\n')
				if err != nil {
					return
				}
				if strings.HasPrefix(string(line), "id: ") {
					events.Add(1)
				}
			}
		})
	}
	attaching.Wait()
	fmt.Println("at attached")
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); {
		fmt.Printf("at %d\n", events.Load())
	}
	cancel()
	reading.Wait()
}

// loadProcess is a process of a test.
type loadProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	output *bufio.Scanner
}

func startLoad(t *testing.T, role, of, kept string) *loadProcess {
	t.Helper()
	p := &loadProcess{t: t, cmd: exec.Command(os.Args[0], "-test.run=^TestLoadProcess$", "-test.v", "-test.timeout=30m")}
	p.cmd.Env = append(os.Environ(), loadRole+"="+role, loadOf+"="+of, loadStore+"="+kept)
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.output = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	return p
}

// stop ends the process, at once if it doesn't by itself.
func (p *loadProcess) stop() {
	_ = p.in.Close()
	slow := time.AfterFunc(20*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer slow.Stop()
	_ = p.cmd.Wait() // it may have been stopped already
}

// hears waits for the next line that the process prints.
func (p *loadProcess) hears() string {
	p.t.Helper()
	for p.output.Scan() {
		if word, ok := strings.CutPrefix(p.output.Text(), "at "); ok {
			return word
		}
	}
	p.t.Fatal("the process ended")
	return ""
}

// memory returns the resident memory of the process in bytes.
func (p *loadProcess) memory() int64 {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		p.t.Fatal(err)
	}
	return kilobytes << 10
}

// descriptors returns the number of open files and connections of the process.
func (p *loadProcess) descriptors() int {
	p.t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	return len(open)
}

// releases waits until the server has given back the connections of readers that are gone.
func (p *loadProcess) releases(most int) int {
	p.t.Helper()
	open := p.descriptors()
	for until := time.Now().Add(time.Minute); open > most && time.Now().Before(until); open = p.descriptors() {
		time.Sleep(20 * time.Millisecond)
	}
	return open
}

// TestLoad serves so many streams with a reader each, in a soak up to 10,000 for ten minutes, and reports the cost of a
// connection and a stored event. Every event has to arrive, and the connection of a reader that has gone has to be
// released.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of their own, which no race detector looks into")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc")
	}
	sizes, events, hold := []int{100}, 20_000, time.Second // of streams, written in all, and for how long
	if os.Getenv("STREAMCERT_SOAK") != "" {
		sizes, events, hold = []int{100, 1000, 10_000}, 200_000, time.Minute
		if d, err := time.ParseDuration(os.Getenv("STREAMCERT_TEST_LOAD_FOR")); err == nil {
			hold = d
		}
	}
	for _, kept := range []string{"memory", "redis"} {
		for _, n := range sizes {
			t.Run(fmt.Sprint(kept, " ", n), func(t *testing.T) {
				url := ""
				if kept == "redis" {
					url = redistest.Start(t, "--appendfsync", "everysec").URL
				}
				holdLoad(t, n, events, hold, url)
			})
		}
	}
}

// holdLoad serves n streams and readers for a time, and writes about so many events to them.
func holdLoad(t *testing.T, n, events int, hold time.Duration, kept string) {
	server := startLoad(t, "server", "", kept)
	url := server.hears()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	w := &loadWriter{t: t, client: client, url: url, writers: make([]string, n)}
	before := server.memory()
	w.each(func(i int) { w.open(i) })
	streams, idle := server.memory(), server.descriptors()
	readers := startLoad(t, "readers", fmt.Sprint(url, " ", n), "")
	readers.hears()
	attached := server.memory()
	rounds := max(2, events/(n*loadBatch))
	var busy time.Duration
	var over time.Time
	next := time.NewTicker(hold / time.Duration(rounds))
	defer next.Stop()
	for range rounds {
		began := time.Now()
		w.each(func(i int) { w.write(i) })
		over = time.Now()
		busy += over.Sub(began)
		<-next.C
	}
	due := int64(n * rounds * loadBatch)
	came := int64(0)
	for until := time.Now().Add(time.Minute); came < due && time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if _, err := fmt.Fprintln(readers.in); err != nil {
			t.Fatal(err)
		}
		came, _ = strconv.ParseInt(readers.hears(), 10, 64)
	}
	arrived := time.Now()
	if came != due {
		t.Errorf("%d of %d events arrived", came, due)
	}
	after, open := server.memory(), server.descriptors()
	readers.stop()
	left := server.releases(idle + loadExtra)
	if left > idle+loadExtra {
		t.Errorf("%d descriptors are open when the readers are gone, %d were before they came", left, idle)
	}
	t.Logf("%d streams and readers: %d descriptors before the readers came, %d with them, %d when they are gone", n, idle, open, left)
	t.Logf("%d streams and readers: a stream %d bytes, a connection %d bytes, a stored event %d bytes; %d events written in %v, %.0f a second, all had arrived at most %v later; the server takes %d MiB",
		n, (streams-before)/int64(n), (attached-streams)/int64(n), (after-attached)/due, due, busy.Round(time.Millisecond),
		float64(due)/busy.Seconds(), arrived.Sub(over).Round(time.Millisecond), after>>20)
}

// loadWriter writes to all streams.
type loadWriter struct {
	t       *testing.T
	client  *http.Client
	url     string
	writers []string
}

// each does something to every stream, a few at a time.
func (w *loadWriter) each(do func(i int)) {
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			for i := k; i < len(w.writers); i += 8 {
				do(i)
			}
		})
	}
	all.Wait()
}

func (w *loadWriter) post(path, body string) string {
	answer, err := w.client.Post(w.url+"/control/streams/"+path, "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated {
		w.t.Errorf("%s: %d %s %v", path, answer.StatusCode, text, err)
	}
	return string(text)
}

func (w *loadWriter) open(i int) {
	w.writers[i] = between(w.post(fmt.Sprintf("load-%d/writers", i), `{"agentId":"a","agentType":"t"}`), `"writerId":"`, `"`)
}

func (w *loadWriter) write(i int) {
	const chunk = `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word "}`
	w.post(fmt.Sprintf("load-%d/writers/%s/chunks", i, w.writers[i]), "["+strings.Repeat(chunk+",", loadBatch-1)+chunk+"]")
}
