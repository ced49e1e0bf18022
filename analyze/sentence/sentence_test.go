package sentence

import "testing"

var zh = map[string]string{
	"%s holds %s":                "%[2]s 被 %[1]s 拖住",
	"the proxy of %s":            "%s 的代理",
	"istiod (%s)":                "istiod（%s）",
	"%s says %q":                 "%s 说 %q",
	"nothing":                    "无",
	", ":                         "、",
	"%s and %s":                  "%s 和 %s",
	"%s: %s":                     "%s：%s",
	"only when %s is placed":     "只有当%s时才放置",
	"every kubelet of minor %d":  "每个 kubelet 不低于 %d",
	"an ordinary container":      "普通容器",
	"a pod was refused for once": "曾被拒绝一次",
}

func TestIn(t *testing.T) {
	for _, tc := range []struct {
		say    Text
		en, zh string
	}{
		{Say("%s holds %s", "istio-proxy", Say("the proxy of %s", "main")), "istio-proxy holds the proxy of main", "main 的代理被 istio-proxy 拖住"},
		{Say("%s holds %s", Say("istiod (%s)", "1.27"), "job"), "istiod (1.27) holds job", "job 被 istiod（1.27）拖住"},
		{Say("%s holds %s", "a", ListOf([]string{})), "a holds nothing", "无被 a 拖住"},
		{Say("%s: %s", "x", ListOf([]string{"a", "b", "c"})), "x: a, b and c", "x：a、b 和 c"},
		{Say("%s: %s", "x", ListOf([]Text{Say("an ordinary container"), Say("the proxy of %s", "b")})), "x: an ordinary container and the proxy of b", "x：普通容器和 b 的代理"},
		{Say("only when %s is placed", Say("every kubelet of minor %d", 33)), "only when every kubelet of minor 33 is placed", "只有当每个 kubelet 不低于 33 时才放置"},
		{Say("%s says %q", "a", "he （x） said"), `a says "he （x） said"`, `a 说 "he （x） said"`},
		{Say("%s: %s", "name", "镜像 abc（x） y"), "name: 镜像 abc（x） y", "name：镜像 abc（x） y"},
		{Say("%s: %s", "nothing", "an ordinary container"), "nothing: an ordinary container", "nothing：普通容器"},
		{Say("not in the catalogue: %s", "x"), "not in the catalogue: x", "not in the catalogue: x"},
	} {
		if got := tc.say.String(); got != tc.en {
			t.Errorf("English %q, want %q", got, tc.en)
		}
		if got := tc.say.In(zh); got != tc.zh {
			t.Errorf("Chinese %q, want %q", got, tc.zh)
		}
	}
}
