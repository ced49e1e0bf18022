package facts

// Once gives what compute derives from a whole cluster, computed the first time it is asked for. Rules ask for each of
// thousands of workloads, and a look at every pod for each would cost the square of their number. name tells apart what
// is computed. Facts do not change once they are built, and a run asks from one goroutine.
func Once[T any](c *Cluster, name string, compute func(*Cluster) T) T {
	if v, ok := c.once[name]; ok {
		return v.(T)
	}
	v := compute(c)
	if c.once == nil {
		c.once = map[string]any{}
	}
	c.once[name] = v
	return v
}

// OnceFor is Once for something that is asked of each of many keys.
func OnceFor[K comparable, T any](c *Cluster, name string, key K, compute func() T) T {
	known := Once(c, name, func(*Cluster) map[K]T { return map[K]T{} })
	v, ok := known[key]
	if !ok {
		v = compute()
		known[key] = v
	}
	return v
}
