package bundle

// layout says where one tool puts what. A layout is recognised from the set of paths of a bundle, at any depth, and
// decides for each file whether it is worth reading. A file that no rule names is read, if it is text: bundles are
// edited by people.
type layout struct {
	// id is what --layout takes, name what the report says.
	id, name string
	// signs are the marks that a root must have for the layout to be recognised, each alternative a set of marks.
	signs []mark
	rules []rule
}

// rule says what the files are whose path matches.
type rule struct {
	path string
	// mark is what the presence of such a file says about its root.
	mark mark
	// skip is why such files are not read, empty when they are. A tarball is read in one pass, so this is decided before
	// the layout is known: a path that is skipped must be unmistakable.
	skip string
	// as names files that are read in a way of their own.
	as special
}

// special is a way of reading a file that holds no objects.
type special uint8

const (
	asManifest special = iota + 1
	asRefusals
	asRedaction
)

// mark is a set of observations about a root.
type mark uint8

const (
	markTree mark = 1 << iota
	markStamp
	markOwn
	markMesh
)

// Reasons for not reading a file, as the report counts them.
const (
	skipLogs    = "container and node logs"
	skipSecret  = "secrets"
	skipKind    = "kinds that say nothing about a workload"
	skipRuntime = "dumps of proxies, networks and hosts"
	skipReport  = "reports of other tools"
	skipStamp   = "notes of a collector about its own run"
	skipSystem  = "files of an operating system"
)

// layouts are tried in this order; of two that fit one root the first is meant.
func layouts() []layout {
	return []layout{
		ownLayout(), istioMustGather(), mustGather(), supportBundle(), crustGather(), bugReport(), supportBundleKit(),
		clusterInfoDump(), kubectlFiles(),
	}
}

// LayoutIDs gives the names that Options.Layout takes.
func LayoutIDs() []string {
	var ids []string
	for _, l := range layouts() {
		ids = append(ids, l.id)
	}
	return ids
}

// layoutNamed finds the id of the layout that is meant: by its id, or by the name that a report gives it. No text means none.
func layoutNamed(text string) (id string, ok bool) {
	for _, l := range layouts() {
		if text == l.id || text == l.name {
			return l.id, true
		}
	}
	return "", text == ""
}

// looseID is the layout of everything that is in no recognised tree.
const (
	looseID   = "kubectl-files"
	looseName = "kubectl files"
)

// kubectlFiles is what people attach. What their computers add to an archive is no loss.
func kubectlFiles() layout {
	return layout{id: looseID, name: looseName, rules: []rule{
		{path: "__MACOSX/**", skip: skipSystem},
		{path: ".DS_Store", skip: skipSystem},
		{path: "Thumbs.db", skip: skipSystem},
		{path: "desktop.ini", skip: skipSystem},
		{path: redactionFile, as: asRedaction},
	}}
}
