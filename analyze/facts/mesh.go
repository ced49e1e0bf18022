package facts

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Names that Istio gives its own things. The annotation and variable names are facts about objects; what a version
// makes of them is knowledge.
const (
	NativeEnv            = "ENABLE_NATIVE_SIDECARS"
	NativeAnnotation     = "sidecar.istio.io/nativeSidecar"
	InjectAnnotation     = "sidecar.istio.io/inject"
	RevisionLabel        = "istio.io/rev"
	TagLabel             = "istio.io/tag"
	TemplatesAnnotation  = "inject.istio.io/templates"
	defaultRevision      = "default"
	discoveryContainer   = "discovery"
	injectorConfigPrefix = "istio-sidecar-injector"
)

// Mesh is what the bundle shows of Istio's control plane.
type Mesh struct {
	// ControlPlanes are the istiod revisions with a Deployment, ReplicaSet or Pod in the bundle.
	ControlPlanes []*ControlPlane
	// Injectors are Istio's webhook configurations, revision tags among them.
	Injectors []*Injector
	// Ambient says that ztunnel or an ambient label was seen.
	Ambient bool
	// Answered is the release that istioctl version had from istiod; of which revision it does not tell.
	Answered evidence.Fact[version.Version]
}

// ControlPlane is one revision of istiod.
type ControlPlane struct {
	Revision, Namespace string
	Version             evidence.Fact[version.Version]
	// Env is ENABLE_NATIVE_SIDECARS as istiod has it.
	Env Setting
	// Deployment, Pods and History are where it was read; History holds its ReplicaSets, oldest first.
	Deployment *kube.Controller
	Pods       []*Pod
	History    []*kube.Controller
	// Serving are the pods that answer the webhook: they decide what is injected now.
	Serving []*Pod
	// Mixed are their releases where they are of several, lowest first: Version is unknown then.
	Mixed []evidence.Fact[version.Version]
	// After is the release that the Deployment rolls out, where pods of another one serve.
	After evidence.Fact[version.Version]
	// Unready says that nothing but pods which are not ready tells the settings.
	Unready bool
	// Template is the injector's ConfigMap, nil when the bundle lacks it.
	Template *InjectorTemplate
	// Values are the Helm values as the chart stored them; empty when the bundle lacks them.
	Values []HelmValues
}

// Setting is a value that may be set, not set, or not readable.
type Setting struct {
	// Known is false when it cannot be read from the bundle (valueFrom, redacted, no object).
	Known bool
	Set   bool
	Value string
	Why   string
	From  []evidence.Evidence
	// Source is the object that tells it where the bundle lacks it: a ConfigMap, or a Secret.
	Source evidence.Ref
	// Key is the key in it.
	Key string
}

// InjectorTemplate is the text of the injector's templates.
type InjectorTemplate struct {
	ConfigMap *kube.ConfigMap
	Text      string
	// Readable is false when the ConfigMap has no template text (redacted, other layout).
	Readable bool
}

// HelmValues is one stored values document of the chart.
type HelmValues struct {
	ConfigMap *kube.ConfigMap
	Key       string
	Text      string
}

// Injector is one MutatingWebhookConfiguration of Istio.
type Injector struct {
	Config        *kube.WebhookConfiguration
	Revision, Tag string
	// URL is set when the control plane is outside the cluster.
	URL string
	// Namespace of the service it calls.
	Namespace string
}

// Revision gives the control planes of a revision or tag name, and whether the name was resolved through a tag. Several
// namespaces can have one of the same revision. A tag leads to a revision and never to another tag, as for Istio.
func (m *Mesh) Revision(name string) (planes []*ControlPlane, viaTag bool) {
	if name == "" {
		name = defaultRevision
	}
	if planes = m.ofRevision(name); len(planes) > 0 {
		return planes, false
	}
	for _, in := range m.Injectors {
		if in.Tag == name && in.Revision != name {
			if planes = m.ofRevision(in.Revision); len(planes) > 0 {
				return planes, true
			}
		}
	}
	return nil, false
}

func (m *Mesh) ofRevision(name string) (planes []*ControlPlane) {
	for _, cp := range m.ControlPlanes {
		if cp.Revision == name {
			planes = append(planes, cp)
		}
	}
	return planes
}

// addControllers reads control planes from Deployments, ReplicaSets, Pods, ConfigMaps and webhooks.
func (c *Cluster) addControllers(set *kube.Set) {
	for _, d := range latest(set.Controllers, nil) {
		switch d.Kind {
		case "Deployment":
			if isIstiod(d.Meta, d.Spec.Template.Spec) {
				cp := c.Mesh.plane(revisionOf(d.Meta, d.Spec.Template.Meta), d.Meta.Namespace)
				cp.Deployment = d
			}
		case "ReplicaSet":
			c.replicas = append(c.replicas, d)
		case "DaemonSet":
			c.Mesh.Ambient = c.Mesh.Ambient || d.Meta.Name == "ztunnel"
		}
	}
	for _, rs := range c.replicas {
		if isIstiod(rs.Meta, rs.Spec.Template.Spec) {
			cp := c.Mesh.plane(revisionOf(rs.Meta, rs.Spec.Template.Meta), rs.Meta.Namespace)
			cp.History = append(cp.History, rs)
		}
	}
	for _, p := range c.Services {
		if isIstiod(p.Meta, p.Spec) {
			cp := c.Mesh.plane(revisionOf(p.Meta, p.Meta), p.Meta.Namespace)
			cp.Pods = append(cp.Pods, p)
		}
	}
	c.addInjectors()
	c.Mesh.Answered = istiodVersion(set.Istiods)
	for _, cp := range c.Mesh.ControlPlanes {
		c.finishPlane(cp)
	}
	sort.SliceStable(c.Mesh.ControlPlanes, func(i, j int) bool {
		a, b := c.Mesh.ControlPlanes[i], c.Mesh.ControlPlanes[j]
		return a.Namespace+"/"+a.Revision < b.Namespace+"/"+b.Revision
	})
}

func (m *Mesh) plane(revision, namespace string) *ControlPlane {
	for _, cp := range m.ControlPlanes {
		if cp.Revision == revision && cp.Namespace == namespace {
			return cp
		}
	}
	cp := &ControlPlane{Revision: revision, Namespace: namespace}
	m.ControlPlanes = append(m.ControlPlanes, cp)
	return cp
}

func isIstiod(m kube.Meta, spec kube.PodSpec) bool {
	if m.Labels.Get("app") == "istiod" {
		return true
	}
	for _, c := range spec.Containers {
		if c.Name == discoveryContainer && (strings.Contains(c.Image, "pilot") || strings.HasPrefix(m.Name, "istiod")) {
			return true
		}
	}
	return false
}

func revisionOf(metas ...kube.Meta) string {
	for _, m := range metas {
		if r := m.Labels.Get(RevisionLabel); r != "" {
			return r
		}
	}
	return defaultRevision
}

func (c *Cluster) addInjectors() {
	for _, w := range c.Webhooks {
		for _, h := range w.Webhooks {
			if !strings.HasSuffix(h.Name, "sidecar-injector.istio.io") {
				continue
			}
			in := &Injector{Config: w, Revision: w.Meta.Labels.Get(RevisionLabel), Tag: w.Meta.Labels.Get(TagLabel), URL: h.ClientConfig.URL}
			if in.Revision == "" {
				in.Revision = defaultRevision
			}
			if s := h.ClientConfig.Service; s != nil {
				in.Namespace = s.Namespace
			}
			c.Mesh.Injectors = append(c.Mesh.Injectors, in)
			break
		}
	}
}

// holder is an object that tells what an istiod is set to.
type holder struct {
	o    *kube.Object
	spec kube.PodSpec
	path string
	// pod says that it is one that runs, and not what is to run.
	pod bool
}

// finishPlane reads version, environment, template and values of one revision.
func (c *Cluster) finishPlane(cp *ControlPlane) {
	sort.SliceStable(cp.History, func(i, j int) bool { return cp.History[i].Meta.Created.Before(cp.History[j].Meta.Created.Time) })
	list := cp.holders()
	cp.Version = evidence.Unknown[version.Version]("all pods of istiod in the bundle are over")
	cp.Env = Setting{Why: sentence.Fixed("all pods of istiod in the bundle are over")}
	disagree := false
	for i, h := range list {
		v, env := c.readDiscovery(h.o, h.spec, h.path)
		cp.addRelease(v, h, i == 0)
		switch {
		case i == 0:
			cp.Env = env
		case disagree:
		case env.Known && cp.Env.Known && (env.Set != cp.Env.Set || env.Value != cp.Env.Value):
			// The Deployment was changed and the running pods have not followed, or the files are of two moments.
			disagree = true
			cp.Env = Setting{Why: sentence.Fixed("istiod's pods and its Deployment disagree on ENABLE_NATIVE_SIDECARS"), From: append(cp.Env.From, env.From...)}
		case !cp.Env.Known && env.Known && cp.Env.Why == "":
			cp.Env = env
		}
	}
	cp.settleRelease()
	c.askedIstiod(cp)
	c.addConfig(cp)
}

// holders gives the pods that serve before what is to run. Pods that are not ready stand in where nothing else tells; pods
// that are over never do.
func (cp *ControlPlane) holders() []holder {
	var list []holder
	unready := cp.sortPods()
	for _, p := range cp.Serving {
		list = append(list, holder{&p.Object, p.Spec, "spec.", true})
	}
	if cp.Deployment != nil && (len(list) == 0 || !cp.Deployment.Manifest()) {
		list = append(list, holder{&cp.Deployment.Object, cp.Deployment.Spec.Template.Spec, "spec.template.spec.", false})
	}
	if len(list) == 0 && len(cp.History) > 0 {
		rs := cp.PresentSet()
		if rs == nil {
			rs = cp.History[len(cp.History)-1]
		}
		list = append(list, holder{&rs.Object, rs.Spec.Template.Spec, "spec.template.spec.", false})
	}
	if len(list) == 0 {
		cp.Unready = len(unready) > 0
		for _, p := range unready {
			list = append(list, holder{&p.Object, p.Spec, "spec.", true})
		}
	}
	return list
}

// addRelease takes what one holder says of the release: each release of pods once, and that of what is to run apart.
func (cp *ControlPlane) addRelease(v evidence.Fact[version.Version], h holder, first bool) {
	switch {
	case first:
		cp.Version = v
	case !v.Known:
		return
	case !cp.Version.Known:
		cp.Version = v
	}
	switch {
	case !v.Known:
	case h.pod && !slices.ContainsFunc(cp.Mixed, func(o evidence.Fact[version.Version]) bool { return sameRelease(o.V, v.V) }):
		cp.Mixed = append(cp.Mixed, v)
	case !h.pod && !first && !(len(cp.Mixed) == 1 && sameRelease(cp.Mixed[0].V, v.V)):
		cp.After = v
	}
}

// settleRelease leaves the release unknown where pods of several serve: which of them injects a pod is chance.
func (cp *ControlPlane) settleRelease() {
	if len(cp.Mixed) < 2 {
		if len(cp.Mixed) == 0 {
			cp.After = evidence.Fact[version.Version]{} // what runs now is not known apart from it
		}
		cp.Mixed = nil
		return
	}
	slices.SortStableFunc(cp.Mixed, func(a, b evidence.Fact[version.Version]) int {
		if order, sure := a.V.Compare(b.V); sure == version.Yes && order != 0 {
			return order
		}
		return strings.Compare(a.V.Raw, b.V.Raw)
	})
	cp.Version = evidence.Unknown[version.Version]("pods of several releases of istiod serve at once")
	for _, r := range cp.Mixed {
		cp.Version.From = append(cp.Version.From, r.From...)
	}
}

func sameRelease(a, b version.Version) bool {
	order, sure := a.Compare(b)
	return a.Raw == b.Raw || sure == version.Yes && order == 0
}

// sortPods finds the pods that answer the webhook, those that run and are ready or of which nothing says that they are not,
// and gives those that may yet come to that. Pods that are over or being deleted do neither.
func (cp *ControlPlane) sortPods() (unready []*Pod) {
	for _, p := range cp.Pods {
		phase, ready := p.Status.Phase, kube.FindCondition(p.Status.Conditions, "Ready")
		switch {
		case phase == "Succeeded" || phase == "Failed" || p.Meta.Deleted.Raw != "":
		case (phase == "Running" || phase == "") && (ready == nil || ready.Status == "True"):
			cp.Serving = append(cp.Serving, p)
		default:
			unready = append(unready, p)
		}
	}
	return unready
}

// revisionAnnotation counts the rollouts of a Deployment on its ReplicaSets. After a rollback the present one is not the
// youngest.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// PresentSet gives the ReplicaSet whose pods serve; where no pod tells, the one of the last rollout that is to have pods; nil
// where none is. What a rollout has not yet made ready is not the present one.
func (cp *ControlPlane) PresentSet() *kube.Controller {
	var best *kube.Controller
	serving := func(rs *kube.Controller) bool { return owns(rs, cp.Serving) }
	anyServes := slices.ContainsFunc(cp.History, serving)
	for _, rs := range cp.History { // oldest first
		if anyServes && !serving(rs) {
			continue
		}
		if rs.Spec.Replicas != nil && *rs.Spec.Replicas == 0 {
			continue
		}
		if best == nil || rolloutNumber(rs) >= rolloutNumber(best) {
			best = rs
		}
	}
	return best
}

// owns says that one of the pods is of a ReplicaSet.
func owns(rs *kube.Controller, pods []*Pod) bool {
	return slices.ContainsFunc(pods, func(p *Pod) bool {
		return slices.ContainsFunc(p.Meta.Owners, func(o kube.Owner) bool { return o.Kind == rs.Kind && o.Name == rs.Meta.Name })
	})
}

func rolloutNumber(rs *kube.Controller) int {
	n, err := strconv.Atoi(rs.Meta.Annotations.Get(revisionAnnotation))
	if err != nil {
		return 0
	}
	return n
}

// askedIstiod fills in what istioctl version said where the image does not tell, if the answer can be of no other istiod.
func (c *Cluster) askedIstiod(cp *ControlPlane) {
	if !cp.Version.Known && len(cp.Mixed) == 0 && len(c.Mesh.ControlPlanes) == 1 && c.Mesh.Answered.Known {
		cp.Version = c.Mesh.Answered
	}
}

// istiodVersion gives the one release that istiods answered with.
func istiodVersion(list []kube.IstiodVersion) evidence.Fact[version.Version] {
	var found evidence.Fact[version.Version]
	for _, s := range list {
		v := version.Parse(s.Version)
		if !v.Known() {
			continue
		}
		if found.Known && v.Raw != found.V.Raw {
			return evidence.Fact[version.Version]{Why: "istioctl version names several releases: " + found.V.Raw + " and " + v.Raw,
				From: append(found.From, s.Evidence)}
		}
		found = evidence.Know(v, s.Evidence)
	}
	return found
}

// readDiscovery reads version and environment from the discovery container.
func (c *Cluster) readDiscovery(o *kube.Object, spec kube.PodSpec, prefix string) (evidence.Fact[version.Version], Setting) {
	for _, ct := range spec.Containers {
		if ct.Name != discoveryContainer && len(spec.Containers) > 1 {
			continue
		}
		path := prefix + "containers[name=" + ct.Name + "]"
		fact := evidence.Unknown[version.Version]("the image of istiod carries no version: " + ct.Image)
		if v := version.FromImage(ct.Image); v.Known() {
			fact = evidence.Know(v, o.Ev(path+".image", ct.Image))
		} else if l := o.Meta.Labels.Get("app.kubernetes.io/version"); !version.NumberedApart(ct.Image) && version.Parse(l).Known() {
			fact = evidence.Know(version.Parse(l), o.Ev("metadata.labels[app.kubernetes.io/version]", l))
		}
		return fact, NativeSetting(o, ct, path, c.configs)
	}
	return evidence.Unknown[version.Version]("no discovery container in " + o.Ref().String()),
		Setting{Why: "no discovery container in " + o.Ref().String()}
}

// ReadEnv reads one variable; the last of duplicates wins, as in Kubernetes. A value from elsewhere is not readable.
func ReadEnv(o *kube.Object, env []kube.EnvVar, path, name string) Setting {
	if !slices.ContainsFunc(env, func(e kube.EnvVar) bool { return e.Name == name }) {
		return Setting{Known: true, From: []evidence.Evidence{o.EvAbsent(path + ".env[name=" + name + "]")}}
	}
	var found Setting
	for _, e := range env {
		if e.Name != name {
			continue
		}
		if len(e.ValueFrom) > 0 {
			found = Setting{Set: true, Why: sentence.Fixed("its value comes from another object (valueFrom)"),
				From: []evidence.Evidence{o.Ev(path+".env[name="+name+"].valueFrom", "set")}}
			continue
		}
		if Redacted(string(e.Value)) {
			found = Setting{Set: true, Why: sentence.Fixed("its value was redacted"),
				From: []evidence.Evidence{o.Ev(path+".env[name="+name+"].value", string(e.Value))}}
			continue
		}
		found = Setting{Known: true, Set: true, Value: string(e.Value),
			From: []evidence.Evidence{o.Ev(path+".env[name="+name+"].value", string(e.Value))}}
	}
	return found
}

// addConfig finds the injector's template and the chart's values of a revision.
func (c *Cluster) addConfig(cp *ControlPlane) {
	suffix := ""
	if cp.Revision != defaultRevision {
		suffix = "-" + cp.Revision
	}
	for _, cm := range c.configs {
		if cm.Meta.Namespace != cp.Namespace {
			continue
		}
		switch cm.Meta.Name {
		case injectorConfigPrefix + suffix:
			cp.Template = readTemplate(cm)
		case "values" + suffix:
			for _, key := range []string{"original-values", "merged-values"} {
				if text, ok := cm.Data[key]; ok {
					cp.Values = append(cp.Values, HelmValues{ConfigMap: cm, Key: key, Text: text})
				}
			}
		}
	}
}

func readTemplate(cm *kube.ConfigMap) *InjectorTemplate {
	text := cm.Data["config"]
	return &InjectorTemplate{ConfigMap: cm, Text: text, Readable: holdsTemplate(text)}
}

// holdsTemplate says that a text has the part of the sidecar template that decides: what it asks for, or, where it asks
// for nothing, the proxy itself. A text without either was cut or redacted, and its silence proves nothing.
func holdsTemplate(text string) bool {
	for _, mark := range []string{NativeEnv, NativeAnnotation, ".NativeSidecars", "istio-proxy"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
