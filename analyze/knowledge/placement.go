package knowledge

// TemplatePlace says where an owner kind keeps the annotations of the pods it makes.
type TemplatePlace struct {
	APIGroup string   `json:"group"` // "" for the core group and for tools without an object of their own
	Kind     string   `json:"kind"`
	Path     string   `json:"path"` // field path of the annotations; [] any element, [type] a key to fill in; "" none
	Note     string   `json:"note"`
	Sources  []string `json:"sources"` // source ids in the table, printable references in a result
}

// TemplatePlace finds where the pod template's annotations of an owner live. Tools without an object of their own are
// kinds of the group "": AirflowTask, SparkSubmit, GitLabRunnerPod, HelmHook. An API group with a version is accepted.
func (b *Base) TemplatePlace(group, kind string) (TemplatePlace, bool) {
	for i, c := range group {
		if c == '/' {
			group = group[:i]
			break
		}
	}
	for _, p := range b.t.placement.Places {
		if p.APIGroup == group && p.Kind == kind {
			p.Sources = b.refs(p.Sources)
			return p, true
		}
	}
	return TemplatePlace{}, false
}

// TemplatePlaces lists all places in the order of the table.
func (b *Base) TemplatePlaces() []TemplatePlace {
	var list []TemplatePlace
	for _, p := range b.t.placement.Places {
		p.Sources = b.refs(p.Sources)
		list = append(list, p)
	}
	return list
}
