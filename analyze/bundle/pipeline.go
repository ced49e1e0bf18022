package bundle

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// The pipeline: one goroutine unpacks and cuts files into chunks, workers read their content, and what they find is put
// together in the order of the files, whoever finishes first. Unpacking one stream cannot be shared out, decoding can;
// so unpacking is never made to wait for more than the buffers there are.
const (
	contentWorkers = 2
	chunkSize      = 128 << 10
	chunkCount     = 16
)

// chunk is a piece of a file in a buffer that goes back to the free list.
type chunk struct {
	buf []byte
	n   int
}

// job is one file on its way. Its Read is what the content reader sees.
type job struct {
	seq    int
	name   string
	lim    contentLimits
	chunks chan chunk
	free   chan []byte
	now    chunk
	at     int
	// done is set when the content reader wants no more.
	done atomic.Bool
}

// Read implements io.Reader. The end of an archive that was cut off is a plain io.EOF here; whoever unpacks lists it.
func (j *job) Read(p []byte) (int, error) {
	for j.at == j.now.n {
		j.release()
		next, ok := <-j.chunks
		if !ok {
			return 0, io.EOF
		}
		j.now, j.at = next, 0
	}
	n := copy(p, j.now.buf[j.at:j.now.n])
	j.at += n
	return n, nil
}

func (j *job) release() {
	if j.now.buf != nil {
		j.free <- j.now.buf
	}
	j.now, j.at = chunk{}, 0
}

// drain gives all buffers back, those to come included.
func (j *job) drain() {
	j.done.Store(true)
	j.release()
	for c := range j.chunks {
		j.free <- c.buf
	}
}

type pipeline struct {
	jobs  chan *job
	free  chan []byte
	seq   int
	wg    sync.WaitGroup
	merge *merger
}

func newPipeline(m *merger) *pipeline {
	p := &pipeline{jobs: make(chan *job, chunkCount), free: make(chan []byte, chunkCount), merge: m}
	for range chunkCount {
		p.free <- make([]byte, chunkSize)
	}
	for range contentWorkers {
		p.wg.Add(1)
		go p.work()
	}
	return p
}

// close waits until everything that was handed over is read.
func (p *pipeline) close() {
	close(p.jobs)
	p.wg.Wait()
}

// note puts problems of the unpacking side in their place among the files.
func (p *pipeline) note(problems ...Problem) {
	p.merge.put(p.seq, result{problems: problems})
	p.seq++
}

// found puts objects that the unpacking side read itself in their place.
func (p *pipeline) found(set kube.Set) {
	p.merge.put(p.seq, result{set: set})
	p.seq++
}

// feed hands a file over. Its error is that of r.
func (p *pipeline) feed(name string, lim contentLimits, r io.Reader) error {
	// The buffers bound what can be in a job's queue, so sending never blocks on a job that no worker has taken yet.
	j := &job{seq: p.seq, name: name, lim: lim, free: p.free, chunks: make(chan chunk, chunkCount)}
	p.seq++
	p.jobs <- j
	defer close(j.chunks)
	for !j.done.Load() {
		buf := <-p.free
		n, err := fill(r, buf)
		j.chunks <- chunk{buf: buf, n: n}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fill reads until buf is full or r ends, and gives r's own error: io.ReadFull would make two ends one.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var k int
		k, err = r.Read(buf[n:])
		n += k
	}
	return n, err
}

func (p *pipeline) work() {
	defer p.wg.Done()
	for j := range p.jobs {
		var set kube.Set
		problems, found := readGuarded(j, &set)
		j.drain()
		problems = foreignList(j.name, found+setSize(&set), problems)
		p.merge.put(j.seq, result{set: set, found: found, problems: problems, file: true})
	}
}

// readGuarded reads the content of one file; a fault of ours in it must not cost the rest of the bundle.
func readGuarded(j *job, set *kube.Set) (problems []Problem, found int) {
	failed := true
	defer func() {
		if j.lim.copy != nil {
			j.lim.copy.End(failed)
		}
	}()
	defer func() {
		if fault := recover(); fault != nil {
			problems = append(problems, Problem{File: j.name,
				Message: fmt.Sprintf("internal fault while reading it, please report it: %v", fault)})
		}
	}()
	problems, found = readCounting(j.name, j, set, j.lim)
	failed = false
	return problems, found
}

// foreignList makes one problem of a JSON array of something else, which gives one for each of its items.
func foreignList(name string, found int, problems []Problem) []Problem {
	if len(problems) == 0 || found > 0 {
		return problems
	}
	for _, p := range problems {
		if !strings.HasSuffix(p.Message, kube.ErrNoObject.Error()) && !strings.HasSuffix(p.Message, "neither an object nor a list") {
			return problems
		}
	}
	return []Problem{{File: name, Message: "a list of things that are no Kubernetes objects", unrecognised: true}}
}
