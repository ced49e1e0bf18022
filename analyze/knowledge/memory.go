package knowledge

// Memory keeps what was found of a list of kubelets: thousands of workloads have the same nodes, and a look at each node
// for each workload would cost the product. Lists are told apart by where they lie, so a list is not changed once it was
// asked about. One goroutine uses it.
type Memory struct{ known map[any]any }

// listID is a list of kubelets by where it lies.
type listID struct {
	first *Kubelet
	n     int
}

func idOf(list []Kubelet) listID {
	if len(list) == 0 {
		return listID{}
	}
	return listID{&list[0], len(list)}
}

// recall gives what compute gives for a key, which is of a type of its own for each question. Without a memory it is
// computed each time.
func recall[K comparable, V any](m *Memory, key K, compute func() V) V {
	if m == nil {
		return compute()
	}
	if v, known := m.known[key]; known {
		return v.(V)
	}
	v := compute()
	if m.known == nil {
		m.known = map[any]any{}
	}
	m.known[key] = v
	return v
}
