package knowledge

// Word is what a cell shows: the placement, or how it is broken.
func (c Cell) Word() string {
	w := c.Placement
	if c.Placement == Broken {
		w = map[string]string{
			RefusedByAPIServer: "refused",
			StuckInInit:        "stuck",
			RejectedByKubelet:  "rejected",
			InjectorFails:      "fails",
		}[c.Broken]
	}
	if !c.Supported {
		w += "~"
	}
	return w
}
