package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// DefaultContainerAnnotation names the container that kubectl logs and exec take; Istio's injector sets it to the
// application.
const DefaultContainerAnnotation = "kubectl.kubernetes.io/default-container"

// assignRoles lists the containers of a pod with placement and role. The live pod decides; the owner's template only
// tells what was added after it.
func assignRoles(p *Pod, w *Workload, known helpers) {
	p.Containers = nil
	for _, c := range pairUp(p.Spec.InitContainers, p.Status.InitContainerStatuses) {
		c.Pod = p
		placeInit(c)
		c.Helper = known.of(c)
		c.Injected = injected(c, w)
		p.Containers = append(p.Containers, c)
	}
	var regular []*Container
	for _, c := range pairUp(p.Spec.Containers, p.Status.ContainerStatuses) {
		c.Pod = p
		c.Placement = Ordinary
		if c.Helper = known.of(c); c.Helper == nil {
			c.Helper = known.besideInits(c)
		}
		c.Injected = injected(c, w)
		regular = append(regular, c)
	}
	p.Containers = append(p.Containers, regular...)
	rolesOfRegular(p, regular, w)
}

// pairUp joins spec and status by name, in spec order; statuses without a spec entry (a stripped spec) come last.
func pairUp(specs []kube.Container, statuses []kube.ContainerStatus) []*Container {
	if len(specs)+len(statuses) == 0 {
		return nil
	}
	made := make([]Container, 0, len(specs)+len(statuses))
	byName := index(len(statuses), func(i int) string { return statuses[i].Name })
	for i := range specs {
		c := Container{Spec: &specs[i], Name: specs[i].Name}
		if j, ok := byName(c.Name); ok {
			c.Status = &statuses[j]
		}
		made = append(made, c)
	}
	known := index(len(specs), func(i int) string { return specs[i].Name })
	for j := range statuses {
		if _, ok := known(statuses[j].Name); !ok {
			made = append(made, Container{Status: &statuses[j], Name: statuses[j].Name})
		}
	}
	out := make([]*Container, len(made))
	for i := range made {
		out[i] = &made[i]
	}
	return out
}

// index finds the first of n things by name. Pods have few containers; a map is for the pod that a stranger made.
func index(n int, name func(int) string) func(string) (int, bool) {
	const few = 16
	if n <= few {
		return func(want string) (int, bool) {
			for i := range n {
				if name(i) == want {
					return i, true
				}
			}
			return 0, false
		}
	}
	first := make(map[string]int, n)
	for i := range n {
		if _, ok := first[name(i)]; !ok {
			first[name(i)] = i
		}
	}
	return func(want string) (int, bool) {
		i, ok := first[want]
		return i, ok
	}
}

// placeInit decides whether an entry of initContainers is a native sidecar. Only restartPolicy Always makes it one.
// describe text never prints that field; there, two signs stand in for it, both impossible for a one-shot init
// container on any version: Ready while still running, and a startup or readiness probe.
func placeInit(c *Container) {
	c.Role, c.Placement = Init, InitContainer
	if c.Spec == nil {
		c.PlacementDoubt = sentence.Fixed("the spec of this container is not in the bundle")
	} else if c.Spec.RestartPolicy == "Always" {
		c.Placement, c.Role, c.RoleBecause = Native, Sidecar, sentence.Say("restartPolicy Always in initContainers")
		return
	}
	if !c.Pod.Described() && c.Spec != nil {
		c.RoleBecause = sentence.Say("an init container without restartPolicy Always")
		return
	}
	if c.Running() != nil && c.Status.Ready {
		c.Placement, c.Role, c.sign = Native, Sidecar, signReady
		c.RoleBecause = sentence.Say("running and ready in initContainers, which only a native sidecar can be")
		c.PlacementDoubt = ""
		return
	}
	if sign, ok := probeSign(c.Spec); ok {
		c.Placement, c.Role, c.sign = Native, Sidecar, sign
		c.RoleBecause = sentence.Say("a probe in initContainers, which the API server allows only with restartPolicy Always")
		return
	}
	if c.Pod.Described() {
		c.PlacementDoubt = sentence.Fixed("kubectl describe does not print restartPolicy")
		c.RoleBecause = sentence.Say("listed under Init Containers")
	}
}

// probeSign finds a probe, which the API server allows no one-shot init container.
func probeSign(c *kube.Container) (sign placeSign, ok bool) {
	switch {
	case c == nil:
		return 0, false
	case c.StartupProbe != nil:
		return signStartup, true
	case c.ReadinessProbe != nil:
		return signReadiness, true
	case c.LivenessProbe != nil:
		return signLiveness, true
	}
	return 0, false
}

// helpers recognises helpers. Pods of a cluster have the same few, so what was found for a name and image is remembered.
type helpers struct {
	sidecars, inits func(name, image string) (Helper, bool)
	beside          func(name string, inits []string) (Helper, bool)
	seen            map[nameImage]*Helper
}

type nameImage struct {
	name, image string
	// first says that it stands among the init containers.
	first bool
}

func newHelpers(opt Options) helpers {
	return helpers{opt.Helper, opt.KnownInit, opt.Beside, map[nameImage]*Helper{}}
}

// of gives what the catalogue knows of a container, nil for nothing.
func (k helpers) of(c *Container) *Helper {
	id := nameImage{c.Name, c.Image(), c.Placement != Ordinary}
	h, ok := k.seen[id]
	if !ok {
		h = k.find(id)
		k.seen[id] = h
	}
	if h != nil && !h.EndsItself && c.Spec != nil && h.setOnce(c.Spec) {
		once := *h
		once.EndsItself = true
		return &once
	}
	return h
}

// setOnce says that a container is told to do the helper's work once and end.
func (h *Helper) setOnce(c *kube.Container) bool {
	if len(h.OnceFlags)+len(h.OnceEnv) == 0 {
		return false
	}
	for _, words := range append(slices.Clone(c.Command), c.Args...) {
		for _, w := range strings.Fields(words) { // a shell gets several in one
			flag, value, given := strings.Cut(w, "=")
			if slices.Contains(h.OnceFlags, flag) && (!given || isOn(value)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.Env, func(e kube.EnvVar) bool { return slices.Contains(h.OnceEnv, e.Name) && isOn(string(e.Value)) })
}

// isOn reads a switch as Go's flags do.
func isOn(s string) bool {
	on, err := strconv.ParseBool(s)
	return err == nil && on
}

// besideInits recognises a container whose image tells nothing by what stands beside it: an injector's init container.
func (k helpers) besideInits(c *Container) *Helper {
	if k.beside == nil || len(c.Pod.Spec.InitContainers) == 0 {
		return nil
	}
	var inits []string
	for _, i := range c.Pod.Spec.InitContainers {
		inits = append(inits, i.Name)
	}
	if h, ok := k.beside(c.Name, inits); ok {
		return &h
	}
	return nil
}

// find asks the catalogue. A long-running helper among the one-shot init containers matters (it blocks them), so it is
// asked for both. A one-shot one with restartPolicy Always stays what it is: istio-validation has the image of the proxy.
func (k helpers) find(id nameImage) *Helper {
	if id.first && k.inits != nil {
		if h, ok := k.inits(id.name, id.image); ok {
			return &h
		}
	}
	if k.sidecars != nil {
		if h, ok := k.sidecars(id.name, id.image); ok {
			return &h
		}
	}
	return nil
}

// injected says that a container was added after the owner's template, by its absence there, or that the injector's
// record lists it. The record alone is no proof for a container that the template has or that the proxy names as an
// application: the gRPC templates record the application too.
func injected(c *Container, w *Workload) bool {
	if w != nil {
		if t := w.Template(); t != nil && len(t.Spec.Containers) > 0 {
			return !inTemplate(t, c.Name)
		}
	}
	in := c.Pod.Injection
	if in == nil || !in.Readable || slices.Contains(proxiedApps(c.Pod), c.Name) {
		return false
	}
	return slices.Contains(in.Containers, c.Name) || slices.Contains(in.Init, c.Name)
}

// appContainersEnv is where Istio's injector tells the proxy which containers are the application's.
const appContainersEnv = "ISTIO_META_APP_CONTAINERS"

func proxiedApps(p *Pod) []string {
	for _, list := range [][]kube.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for _, c := range list {
			for _, e := range c.Env {
				if e.Name == appContainersEnv {
					return strings.Split(string(e.Value), ",")
				}
			}
		}
	}
	return nil
}

func inTemplate(t *kube.PodTemplate, name string) bool {
	has := func(list []kube.Container) bool {
		return slices.ContainsFunc(list, func(c kube.Container) bool { return c.Name == name })
	}
	return has(t.Spec.Containers) || has(t.Spec.InitContainers)
}

// rolesOfRegular tells application from helper among the regular containers. A helper is a container that the
// catalogue knows, or one that was added after the owner's template; the application is what the default-container
// annotation names, else the first container that is no helper. What remains is Other: called neither.
func rolesOfRegular(p *Pod, list []*Container, w *Workload) {
	main := p.Meta.Annotations.Get(DefaultContainerAnnotation)
	if !plausibleMain(main, list) {
		main = ""
	}
	for _, c := range list {
		switch role := engineRole(p, c.Name); {
		case role != "":
			c.Role, c.RoleProven = role, true
			c.RoleBecause = sentence.Say("named by its engine's convention")
		case c.Name == main:
			c.RoleProven = true
			c.Role, c.RoleBecause = App, sentence.Say("named by the annotation %s", DefaultContainerAnnotation)
		case c.Helper != nil && !c.Helper.Conflict:
			c.Role, c.RoleBecause = Sidecar, becauseKnown(c)
		case c.Injected:
			c.Role, c.RoleBecause = Sidecar, sentence.Say("added to the pod after its template")
		default:
			c.Role = Other
		}
	}
	if len(list) > 0 && !slices.ContainsFunc(list, func(c *Container) bool { return c.Role == App || c.Role == Other }) {
		freeOne(list, w)
	}
	pickMain(list, w)
}

// tektonRun is on every pod of a Tekton TaskRun. Tekton names the containers of steps step-NAME and those of declared
// sidecars sidecar-NAME, and ends the latter itself when the last step has ended.
const tektonRun = "tekton.dev/taskRun"

// engineRole tells a container's role where the engine that made the pod names containers by what they are.
func engineRole(p *Pod, name string) Role {
	if _, ok := p.Meta.Labels.Lookup(tektonRun); !ok {
		return ""
	}
	switch {
	case strings.HasPrefix(name, "step-"):
		return App
	case strings.HasPrefix(name, "sidecar-"):
		return Sidecar
	}
	return ""
}

// plausibleMain guards against an annotation that names the proxy itself or a container that is not there.
func plausibleMain(main string, list []*Container) bool {
	for _, c := range list {
		if c.Name == main {
			return c.Helper == nil || !c.Helper.Mesh || c.Helper.Conflict || len(list) == 1
		}
	}
	return false
}

func becauseKnown(c *Container) sentence.Text {
	why := sentence.Say("known helper %s, by name", c.Helper.Product)
	switch {
	case c.Helper.ByName && c.Helper.ByImage:
		why = sentence.Say("known helper %s, by name and image", c.Helper.Product)
	case c.Helper.Beside:
		why = sentence.Say("known helper %s, by name and the init container of its injector", c.Helper.Product)
	case c.Helper.ByImage:
		why = sentence.Say("known helper %s, by image", c.Helper.Product)
	}
	if c.Injected {
		why = sentence.Say("%s; added to the pod after its template", why)
	}
	return why
}

// freeOne handles a pod of helpers only: a Job whose work is done by what is elsewhere a sidecar (a fluentd that ships
// one file, a proxy under test). One that the owner's template has is then the application.
func freeOne(list []*Container, w *Workload) {
	for _, c := range list {
		if !c.Injected && (c.Helper == nil || !c.Helper.Mesh) {
			c.Role = Other
			return
		}
	}
	for _, c := range list {
		if c.Helper == nil { // unknown, and only the injector's record speaks against it
			c.Role = Other
			return
		}
	}
	if len(list) == 1 || w == nil {
		list[0].Role = Other
	}
}

// pickMain makes the first Other container the application when nothing named one. With several, the others stay
// Other: which of them does the work is not in the bundle.
func pickMain(list []*Container, w *Workload) {
	if slices.ContainsFunc(list, func(c *Container) bool { return c.Role == App }) {
		return
	}
	var candidates []*Container
	for _, c := range list {
		if c.Role == Other {
			candidates = append(candidates, c)
		}
	}
	if len(candidates) == 0 {
		return
	}
	if len(candidates) == 1 {
		candidates[0].Role, candidates[0].RoleProven = App, true
		candidates[0].RoleBecause = sentence.Say("the only container that is no known helper")
		return
	}
	for _, c := range candidates {
		if w != nil && namedAfter(c.Name, w) {
			c.Role, c.RoleProven = App, true
			c.RoleBecause = sentence.Say("named like its owner")
			return
		}
	}
	candidates[0].Role = App
	candidates[0].RoleBecause = sentence.Say("the first container that is no known helper; nothing in the bundle tells it from the others")
}

// namedAfter says that a container has the name of its workload or of the object above: what people, charts and
// `kubectl create job` call the container that does the work.
func namedAfter(container string, w *Workload) bool {
	return container == w.Ref.Name || container == w.ParentName
}

// service kinds own pods that have no completion.
var serviceOwners = []string{"ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Node"}

// runsToCompletion decides whether a pod that no Job owns is a workload. restartPolicy decides; describe text does not
// print it, so there the owner's kind and a container that ended and stayed ended stand in.
func runsToCompletion(p *Pod) bool {
	switch p.Spec.RestartPolicy {
	case "Never", "OnFailure":
		return true
	case "Always":
		return false
	}
	if owner, ok := p.Meta.Controller(); ok && slices.Contains(serviceOwners, owner.Kind) {
		return false
	}
	if p.Status.Phase == "Succeeded" || p.Status.Phase == "Failed" {
		return true
	}
	for _, s := range p.Status.ContainerStatuses {
		if t := s.State.Terminated; t != nil && s.RestartCount == 0 {
			return true
		}
	}
	return looksLikeRun(p.Meta)
}

// runLabels are labels that engines put on pods which end.
var runLabels = []string{"job-name", "batch.kubernetes.io/job-name", "workflows.argoproj.io/workflow",
	"tekton.dev/taskRun", "spark-role", "kubernetes_pod_operator", "openshift.io/deployer-pod-for.name",
	"openshift.io/build.name", "katib.kubeflow.org/trial"}

func looksLikeRun(m kube.Meta) bool {
	for _, l := range runLabels {
		if _, ok := m.Labels.Lookup(l); ok {
			return true
		}
	}
	return m.Annotations.Get("workflows.argoproj.io/node-name") != ""
}
