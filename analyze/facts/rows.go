package facts

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"

// newestRows leaves of the rows about one object in one text the last: kubectl get --watch prints a row for each change, and
// in a transcript a later listing stands below an earlier one. Rows of different texts all stay, for nothing tells their
// order.
func newestRows(list []kube.Row) []kube.Row {
	type about struct{ file, kind, namespace, name string }
	at := map[about]int{}
	out := make([]kube.Row, 0, len(list))
	for _, r := range list {
		key := about{r.File, r.Kind, r.Cells["NAMESPACE"], r.Cells["NAME"]}
		i, again := at[key]
		if again && r.Kind != "" && key.name != "" && followsRow(r, out[i]) {
			r.Earlier = out[i].Earlier + 1
			out[i] = r
			continue
		}
		at[key] = len(out)
		out = append(out, r)
	}
	return out
}

// followsRow says that a row is a later one about the object of a row above it. Two listings without a namespace may be of two
// namespaces: the age tells of another object when it has become less.
func followsRow(r, above kube.Row) bool {
	if r.Table == above.Table || r.Cells["NAMESPACE"] != "" || r.Kind == "Node" {
		return true
	}
	now, knows := rowAge(r)
	then, knew := rowAge(above)
	return !knows || !knew || now >= then
}

func rowAge(r kube.Row) (seconds int64, ok bool) {
	text := r.Cells["AGE"]
	age, ok := kube.ParseAge(text)
	return int64(age.Seconds()), ok || text == "0s"
}
