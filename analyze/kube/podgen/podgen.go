// Package podgen writes lists of pods, jobs and nodes of any length, as kubectl prints them: twenty pods of a cluster
// with a mesh, in every style that kubectl's YAML has, told over and over under other names, uids and times. The same
// number gives the same bytes.
//
// It is for benchmarks and tests alone; the analyzer does not contain it.
package podgen

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

//go:embed pods.yaml
var podText string

// slot says what stands between two pieces of a template.
type slot uint8

const (
	podSuffix slot = iota // five letters
	jobNumber             // eight digits
	podUID                // twelve hex digits
	ownerUID
	seconds // two digits
	ordinal // a number
)

// piece is a piece of a template and the slot behind it.
type piece struct {
	text string
	slot slot
	base int // of seconds
}

// template is one pod.
type template struct {
	pieces           []piece
	tail             string
	job              bool // owned by a Job
	namespace, owner string
	ownerID          string
}

var (
	podName  = regexp.MustCompile(`(?m)^    name: (\S+)\n    namespace: (\S+)`)
	ownedBy  = regexp.MustCompile(`(?m)^      kind: (\S+)\n      name: (\S+)\n      uid: (\S+)`)
	ownUID   = regexp.MustCompile(`(?m)^    uid: (\S+)`)
	timeText = `2025-\d\d-\d\dT\d\d:\d\d:`
)

// parse cuts a pod's text where it differs from one telling to the next.
func parse(text string) template {
	name, owner, uid := podName.FindStringSubmatch(text), ownedBy.FindStringSubmatch(text), ownUID.FindStringSubmatch(text)
	t := template{job: owner[1] == "Job", namespace: name[2], owner: owner[2], ownerID: owner[3]}
	stem := func(s string, n int) string { return regexp.QuoteMeta(s[:len(s)-n]) }
	patterns := []string{stem(uid[1], 12) + `[0-9a-f]{12}`, stem(owner[3], 12) + `[0-9a-f]{12}`, timeText + `\d\d`}
	switch owner[1] {
	case "Job":
		patterns = append(patterns, stem(owner[2], 8)+`\d{8}(?:-[a-z0-9]{5})?`)
	case "StatefulSet":
		patterns = append(patterns, regexp.QuoteMeta(owner[2])+`-\d`)
	default:
		patterns = append(patterns, stem(name[1], 5)+`[a-z0-9]{5}`)
	}
	at := 0
	put := func(end int, s slot, width int) {
		t.pieces = append(t.pieces, piece{text: text[at : end-width], slot: s})
		at = end
	}
	for _, m := range regexp.MustCompile(strings.Join(patterns, "|")).FindAllStringIndex(text, -1) {
		switch found := text[m[0]:m[1]]; {
		case found == uid[1]:
			put(m[1], podUID, 12)
		case found == owner[3]:
			put(m[1], ownerUID, 12)
		case strings.HasPrefix(found, "2025-"):
			base := int(found[len(found)-2]-'0')*10 + int(found[len(found)-1]-'0')
			put(m[1], seconds, 2)
			t.pieces[len(t.pieces)-1].base = base
		case t.job:
			put(m[0]+len(owner[2]), jobNumber, 8)
			if len(found) > len(owner[2]) {
				put(m[1], podSuffix, 5)
			}
		case owner[1] == "StatefulSet":
			put(m[1], ordinal, 1)
		default:
			put(m[1], podSuffix, 5)
		}
	}
	t.tail = text[at:]
	return t
}

func templates() []template {
	var out []template
	for i, item := range strings.Split("\n"+podText, "\n- ") {
		if i > 0 {
			out = append(out, parse("- "+strings.TrimSuffix(item, "\n")+"\n"))
		}
	}
	return out
}

const letters = "bcdfghjklmnpqrstvwxz2456789"

func suffix(n int) string {
	var b [5]byte
	for i := range b {
		b[len(b)-1-i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return string(b[:])
}

// fill gives what stands in a slot of the nth pod.
func fill(p piece, n int) string {
	switch p.slot {
	case podSuffix:
		return suffix(n)
	case jobNumber:
		return fmt.Sprintf("%08d", 20000000+n)
	case podUID:
		return fmt.Sprintf("%012x", 0x5eed00000000+n)
	case ownerUID:
		return fmt.Sprintf("%012x", 0x0b0000000000+n)
	case ordinal:
		return fmt.Sprint(n)
	default:
		return fmt.Sprintf("%02d", (p.base+n)%60)
	}
}

const head, tail = "apiVersion: v1\nitems:\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"

// Pods writes a list of n pods, 13 kB each.
func Pods(w io.Writer, n int) error {
	return list(w, func(b *bufio.Writer) {
		all := templates()
		for i := range n {
			t := &all[i%len(all)]
			for _, p := range t.pieces {
				_, _ = b.WriteString(p.text)
				_, _ = b.WriteString(fill(p, i))
			}
			_, _ = b.WriteString(t.tail)
		}
	})
}

// list writes a list; errors of a bufio.Writer stick, so the last Flush gives the first of them.
func list(w io.Writer, items func(*bufio.Writer)) error {
	b := bufio.NewWriterSize(w, 64<<10)
	_, _ = b.WriteString(head)
	items(b)
	_, _ = b.WriteString(tail)
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing a list: %w", err)
	}
	return nil
}

const jobText = `- apiVersion: batch/v1
  kind: Job
  metadata:
    creationTimestamp: "2025-03-07T13:16:12Z"
    labels:
      controller-uid: %[3]s
      job-name: %[1]s
    name: %[1]s
    namespace: %[2]s
    resourceVersion: "919825860"
    uid: %[3]s
  spec:
    backoffLimit: 6
    completionMode: NonIndexed
    completions: 1
    parallelism: 1
    suspend: false
  status:
    active: 1
    ready: 0
    startTime: "2025-03-07T13:16:12Z"
    uncountedTerminatedPods: {}
`

// Jobs writes the Jobs that own pods among the first n.
func Jobs(w io.Writer, n int) error {
	return list(w, func(b *bufio.Writer) {
		all := templates()
		for i := range n {
			if t := &all[i%len(all)]; t.job {
				name := fmt.Sprintf("%s%08d", t.owner[:len(t.owner)-8], 20000000+i)
				_, _ = fmt.Fprintf(b, jobText, name, t.namespace, fmt.Sprintf("%s%012x", t.ownerID[:len(t.ownerID)-12], 0x0b0000000000+i))
			}
		}
	})
}

var nodeName = regexp.MustCompile(`(?m)^    nodeName: (\S+)`)

const nodeText = `- apiVersion: v1
  kind: Node
  metadata:
    creationTimestamp: "2025-01-10T06:58:44Z"
    labels:
      kubernetes.io/hostname: %[1]s
      kubernetes.io/os: linux
    name: %[1]s
  spec:
    providerID: aws:///eu-west-1a/i-6b3ae324a33090e26
  status:
    conditions:
    - lastHeartbeatTime: "2025-03-14T04:18:19Z"
      lastTransitionTime: "2025-03-14T04:18:19Z"
      message: kubelet is posting ready status
      reason: KubeletReady
      status: "True"
      type: Ready
    nodeInfo:
      containerRuntimeVersion: containerd://1.7.24
      kubeletVersion: v1.30.8
      operatingSystem: linux
      osImage: Debian GNU/Linux 12 (bookworm)
`

// Nodes writes the nodes that the pods run on.
func Nodes(w io.Writer) error {
	return list(w, func(b *bufio.Writer) {
		var names []string
		for _, m := range nodeName.FindAllStringSubmatch(podText, -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			_, _ = fmt.Fprintf(b, nodeText, name)
		}
	})
}
