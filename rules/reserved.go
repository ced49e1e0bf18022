package rules

import (
	"math"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// reserved is what the scheduler keeps free on nodes for pods: the sum of their requests. It stays reserved for as long
// as a pod is not finished, whatever its containers do.
type reserved struct {
	cpu, memory float64 // cores, bytes
	// unread counts pods whose requests could not be read (redacted, described).
	unread int
}

func (r *reserved) add(p *facts.Pod) {
	cpu, okCPU := podRequest(p.Spec, "cpu")
	memory, okMemory := podRequest(p.Spec, "memory")
	if !okCPU || !okMemory || len(p.Spec.Containers) == 0 {
		r.unread++
		return
	}
	r.cpu += cpu
	r.memory += memory
}

// text gives the sum as part of a sentence; zero when nothing is reserved.
func (r reserved) text() analyze.Text {
	t := say("%s CPU and %s memory", cores(r.cpu), mebi(r.memory))
	if r.cpu == 0 && r.memory == 0 {
		t = say("no CPU and no memory (they request none)")
	}
	if r.unread > 0 {
		t = say("%s, not counting %s whose requests could not be read", t, podsOf(r.unread))
	}
	return t
}

// podRequest is what the scheduler takes for a pod: its own request (KEP-2837) where it has one, else that of its
// containers; and its overhead. A limit of its own stands in where nothing at all is requested, as the API server fills it in.
func podRequest(spec kube.PodSpec, resource string) (float64, bool) {
	overhead, ok := amount(string(spec.Overhead[resource]))
	if !ok {
		return 0, false
	}
	if own, set := spec.Resources.Requests[resource]; set {
		v, ok := amount(string(own))
		return v + overhead, ok
	}
	v, ok := containersRequest(spec, resource)
	if limit, set := spec.Resources.Limits[resource]; set && ok && v == 0 {
		v, ok = amount(string(limit))
	}
	return v + overhead, ok
}

// containersRequest follows KEP-753: a native sidecar runs beside every init container after it and beside the regular
// ones, so it adds to both; of init containers only the largest counts.
func containersRequest(spec kube.PodSpec, resource string) (float64, bool) {
	sidecars, peak, sum := 0.0, 0.0, 0.0
	for _, c := range spec.InitContainers {
		v, ok := request(c, resource)
		if !ok {
			return 0, false
		}
		if c.RestartPolicy == "Always" {
			sidecars += v
			peak = max(peak, sidecars)
			continue
		}
		peak = max(peak, sidecars+v)
	}
	for _, c := range spec.Containers {
		v, ok := request(c, resource)
		if !ok {
			return 0, false
		}
		sum += v
	}
	return max(peak, sidecars+sum), true
}

// request gives a container's request; a limit stands in where no request is set, as the API server fills it in.
func request(c kube.Container, resource string) (float64, bool) {
	if v, ok := c.Resources.Requests[resource]; ok {
		return amount(string(v))
	}
	return amount(string(c.Resources.Limits[resource]))
}

// amount reads a Kubernetes quantity (250m, 1.5, 64Mi, 1e3, 2G); an empty one is zero. False: it is none.
func amount(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, true
	}
	factors := []struct {
		suffix string
		factor float64
	}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"Pi", 1 << 50}, {"Ei", 1 << 60},
		{"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}}
	factor := 1.0
	for _, f := range factors {
		if number, ok := strings.CutSuffix(s, f.suffix); ok {
			s, factor = number, f.factor
			break
		}
	}
	if strings.Trim(s, "0123456789.+-eE") != "" {
		return 0, false // ParseFloat would take Inf, NaN, hexadecimal numbers and underscores
	}
	v, err := strconv.ParseFloat(s, 64)
	return v * factor, err == nil && !math.IsInf(v, 0)
}

func cores(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }

// mebi gives bytes in the unit that people write into requests.
func mebi(v float64) string {
	unit, size := "Mi", float64(1<<20)
	if v >= 10<<30 {
		unit, size = "Gi", 1<<30
	}
	return strconv.FormatFloat(math.Round(v/size*10)/10, 'f', -1, 64) + unit
}
