package knowledge

import "strings"

// Stripper is a mutating webhook that was reported to remove restartPolicy of init containers in old builds.
type Stripper struct {
	ID      string   `json:"id"`
	Product string   `json:"product"`
	Match   []string `json:"match"`   // parts of the name of the configuration, a webhook or its service
	Fixed   string   `json:"fixed"`   // in words, "" if not known
	Sources []string `json:"sources"` // source ids in the table, printable references in a result
}

// StrippingWebhook recognises such a webhook by any of its names. It is a lead and never a proof: only the build tells.
func (b *Base) StrippingWebhook(names ...string) (Stripper, bool) {
	for _, s := range b.t.issues.Strippers {
		for _, name := range names {
			for _, part := range s.Match {
				if strings.Contains(strings.ToLower(name), part) {
					s.Sources = b.refs(s.Sources)
					return s, true
				}
			}
		}
	}
	return Stripper{}, false
}
