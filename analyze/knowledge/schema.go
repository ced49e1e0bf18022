package knowledge

// The shape of the YAML tables, one struct per file. Unknown keys and duplicate keys are errors on loading, because lax
// decoding lets a misspelled key vanish and the last duplicate win. Versions are strings here; compile (base.go) reads them.

type sourcesFile struct {
	Revision string   `json:"revision"`
	Sources  []Source `json:"sources"`
}

type kubernetesFile struct {
	Component           string        `json:"component"`
	CheckedThrough      string        `json:"checkedThrough"`
	MatrixFrom          string        `json:"matrixFrom"`
	KubeletMinorsBehind int           `json:"kubeletMinorsBehind"`
	Gate                []gatePoint   `json:"gate"`
	Unable              []sourcedNote `json:"unable"`
	Features            []Feature     `json:"features"`
}

type gatePoint struct {
	Since   string   `json:"since"`
	Stage   string   `json:"stage"`
	Exists  bool     `json:"exists"`
	Default bool     `json:"default"`
	Locked  bool     `json:"locked"`
	Sources []string `json:"sources"`
}

type sourcedNote struct {
	ID      string   `json:"id"`
	Summary string   `json:"summary"`
	Sources []string `json:"sources"`
}

// Feature is one thing that a component does from some release on.
type Feature struct {
	ID        string   `json:"id"`
	Component string   `json:"component"`
	Since     string   `json:"since"` // first release that does it
	Until     string   `json:"until"` // first release that no longer does; empty: none known
	Summary   string   `json:"summary"`
	Sources   []string `json:"sources"` // source ids
}

type istioFile struct {
	Component         string              `json:"component"`
	CheckedThrough    string              `json:"checkedThrough"`
	Previewed         string              `json:"previewed"`
	MatrixFrom        string              `json:"matrixFrom"`
	EnvName           string              `json:"envName"`
	AnnotationKey     string              `json:"annotationKey"`
	Eras              []era               `json:"eras"`
	Meanings          map[string][]string `json:"meanings"`
	Steps             []sourcedNote       `json:"steps"`
	Templates         []InjectionTemplate `json:"templates"`
	DefaultTemplate   string              `json:"defaultTemplate"`
	Misspelled        []string            `json:"misspelled"`
	MisspelledSources []string            `json:"misspelledSources"`
	Foreign           []foreignKey        `json:"foreign"`
	Profiles          []profilePoint      `json:"profiles"`
	Supports          []supportPoint      `json:"supports"`
	Features          []Feature           `json:"features"`
	Fingerprints      []Fingerprint       `json:"fingerprints"`
	ControlPlanes     []ControlPlane      `json:"controlPlanes"`
}

// era is the set of rules that a sidecar template follows.
type era struct {
	ID               string     `json:"id"`
	Since            string     `json:"since"`
	Title            string     `json:"title"`
	Detect           detect     `json:"detect"`
	NeedsIstiod      string     `json:"needsIstiod"`
	OnOlderIstiod    string     `json:"onOlderIstiod"` // error: the template cannot be rendered; unknown: nobody looked
	EnvKind          string     `json:"envKind"`
	Env              *valueRule `json:"env"`
	Annotation       *valueRule `json:"annotation"`
	AutoKubeletMinor int        `json:"autoKubeletMinor"`
	Sources          []string   `json:"sources"`
}

type detect struct {
	Has   []string `json:"has"`
	Lacks []string `json:"lacks"`
}

// valueRule says what a setting's exact text leads to: native, ordinary, auto, unset or ignored.
type valueRule struct {
	Unset  string            `json:"unset"`
	Values map[string]string `json:"values"`
	Other  string            `json:"other"`
}

// InjectionTemplate is a template of Istio's charts that a pod can ask for instead of the sidecar's.
type InjectionTemplate struct {
	Name string `json:"name"`
	// Gives is what becomes of the pod's proxy in every release: Ordinary, None or Refused.
	Gives string `json:"gives"`
	// Proxyless says that it is written for applications that speak gRPC to the mesh themselves, which find under
	// another template nothing to speak through.
	Proxyless bool `json:"proxyless"`
}

type foreignKey struct {
	Key     string   `json:"key"`
	Product string   `json:"product"`
	Sources []string `json:"sources"`
}

type profilePoint struct {
	Since     string   `json:"since"`
	Shipped   []string `json:"shipped"`
	Disabling []string `json:"disabling"`
	Sources   []string `json:"sources"`
}

type supportPoint struct {
	Since      string   `json:"since"`
	Min        string   `json:"min"`
	Max        string   `json:"max"`
	Confidence string   `json:"confidence"`
	Sources    []string `json:"sources"`
}

type sidecarsFile struct {
	Helpers []Helper   `json:"helpers"`
	Inits   []Helper   `json:"inits"`
	Stops   []StopCall `json:"stops"`
}

type placementFile struct {
	Places []TemplatePlace `json:"places"`
}

type issuesFile struct {
	Issues    []issueEntry `json:"issues"`
	NotShown  []notShown   `json:"notShown"`
	Strippers []Stripper   `json:"strippers"`
}

type issueEntry struct {
	ID         string   `json:"id"`
	Ref        string   `json:"ref"`
	Component  string   `json:"component"`
	Title      string   `json:"title"`
	Affects    string   `json:"affects"`
	FixedIn    []string `json:"fixedIn"`
	Predicates []string `json:"predicates"`
	Symptom    string   `json:"symptom"`
	Workaround string   `json:"workaround"`
	Deletes    bool     `json:"deletes"`
	Caveat     string   `json:"caveat"`
	Confidence string   `json:"confidence"`
	Sources    []string `json:"sources"`
}

type notShown struct {
	ID      string   `json:"id"`
	Why     string   `json:"why"`
	Sources []string `json:"sources"`
}
