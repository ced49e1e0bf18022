package facts

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// NativeSetting reads ENABLE_NATIVE_SIDECARS of istiod's container. What env lacks may come from an object of envFrom, all of
// whose keys become variables; the last that has it counts, as in Kubernetes.
func NativeSetting(o *kube.Object, ct kube.Container, path string, configs []*kube.ConfigMap) Setting {
	s := ReadEnv(o, ct.Env, path, NativeEnv)
	if s.Set {
		return s // env comes before envFrom
	}
	for _, from := range slices.Backward(ct.EnvFrom) {
		key, ok := strings.CutPrefix(NativeEnv, from.Prefix)
		if !ok || key == "" {
			continue
		}
		switch {
		case from.ConfigMapRef != nil:
			ref := evidence.Ref{Kind: "ConfigMap", Namespace: o.Meta.Namespace, Name: from.ConfigMapRef.Name}
			if found := fromConfig(o, path, ref, key, configs); found.Set || !found.Known {
				return found
			}
		case from.SecretRef != nil:
			ref := evidence.Ref{Kind: "Secret", Namespace: o.Meta.Namespace, Name: from.SecretRef.Name}
			return Setting{Why: sentence.Fixed("it may come from a Secret (envFrom)"), Source: ref, Key: key, From: []evidence.Evidence{o.Ev(path+".envFrom[].secretRef.name", ref.Name)}}
		default: // of a kind that is not known here, or cut off
			return Setting{Why: sentence.Fixed("it may come from another object (envFrom)"), From: []evidence.Evidence{o.Ev(path+".envFrom", "set")}}
		}
	}
	return s
}

// fromConfig looks a key up in a ConfigMap. One without any data may have been emptied by who collected it.
func fromConfig(o *kube.Object, path string, ref evidence.Ref, key string, configs []*kube.ConfigMap) Setting {
	used := o.Ev(path+".envFrom[].configMapRef.name", ref.Name)
	i := slices.IndexFunc(configs, func(cm *kube.ConfigMap) bool { return cm.Meta.Namespace == ref.Namespace && cm.Meta.Name == ref.Name })
	if i < 0 || len(configs[i].Data) == 0 {
		return Setting{Why: sentence.Fixed("it may come from a ConfigMap (envFrom) whose content is not in the bundle"), Source: ref, Key: key, From: []evidence.Evidence{used}}
	}
	cm := configs[i]
	value, ok := cm.Data[key]
	from := []evidence.Evidence{used, cm.Ev("data["+key+"]", value)}
	switch {
	case !ok:
		return Setting{Known: true}
	case Redacted(value):
		return Setting{Set: true, Why: sentence.Fixed("its value was redacted"), Source: ref, Key: key, From: from}
	}
	return Setting{Known: true, Set: true, Value: value, From: from}
}
