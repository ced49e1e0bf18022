package bundle

// noise says whether a line is a message amid kubectl's output.
func (c *content) noise(line []byte) bool { return false }
