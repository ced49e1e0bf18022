package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// What the analysis reads of each kind must stay in a copy: an object with every field set comes back as it was, but for
// what is meant to go. A field that is added to a struct of package kube and not here fails this test.
func TestWhatIsReadStays(t *testing.T) {
	samples := map[string]any{"Pod": &kube.Pod{}, "Job": &kube.Job{}, "CronJob": &kube.CronJob{}, "Node": &kube.Node{}, "Lease": &kube.Lease{},
		"Event": &kube.Event{}, "Namespace": &kube.Namespace{}, "Project": &kube.Namespace{}, "ConfigMap": &kube.ConfigMap{},
		"MutatingWebhookConfiguration": &kube.WebhookConfiguration{}, "Deployment": &kube.Controller{}, "ReplicaSet": &kube.Controller{},
		"DaemonSet": &kube.Controller{}, "StatefulSet": &kube.Controller{}}
	for _, kind := range kube.Kinds() {
		sample := samples[kind]
		if kinds[kind] == nil || sample == nil {
			t.Errorf("%s is read and has no fields here", kind)
			continue
		}
		fill(reflect.ValueOf(sample).Elem())
		before := generic(t, sample)
		after := kinds[kind](&file{counts: map[string]int{}}, before)
		compare(t, kind, before, after)
	}
}

// fill sets every field of a struct to something.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[kube.Pairs]() {
			v.Set(reflect.ValueOf(kube.Pairs{{Key: "istio.io/x", Value: "x"}}))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("istio.io/x"), value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(7)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[kube.Time]() {
			v.Set(reflect.ValueOf(kube.ParseTime("2026-11-30T12:00:00Z")))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	}
}

func generic(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := kube.Generic(kube.Text{Format: kube.JSON, Raw: b})
	if err != nil {
		t.Fatal(err)
	}
	return out.(map[string]any)
}

// compare wants the same, but for values of variables and of ConfigMaps.
func compare(t *testing.T, path string, before, after any) {
	t.Helper()
	if strings.HasSuffix(path, ".env[].value") || strings.HasPrefix(path, "ConfigMap.data.") {
		if after != Mark {
			t.Errorf("%s is %v", path, after)
		}
		return
	}
	switch b := before.(type) {
	case map[string]any:
		a, _ := after.(map[string]any)
		for k := range b {
			if _, ok := a[k]; !ok {
				t.Errorf("%s.%s is read, and is not in the copy", path, k)
				continue
			}
			compare(t, path+"."+k, b[k], a[k])
		}
	case []any:
		a, _ := after.([]any)
		if len(a) != len(b) {
			t.Errorf("%s: %v became %v", path, before, after)
			return
		}
		for i := range b {
			compare(t, path+"[]", b[i], a[i])
		}
	default:
		if before != after {
			t.Errorf("%s: %v became %v", path, before, after)
		}
	}
}
