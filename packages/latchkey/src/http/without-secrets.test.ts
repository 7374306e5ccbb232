import { expect, test } from "vitest";

import { withoutSecrets } from "./without-secrets.ts";

test.each([
  ["/a?access_token=x", "/a"],
  ["/a?x=1&access_token=x&y=%20+2", "/a?x=1&y=%20+2"],
  ["/a?ACCESS_TOKEN=x&access%5Ftoken=y&b", "/a?b"],
  ["/a?id_token=x&refresh_token=y&client_secret=z&id_token_hint=h&", "/a?"],
  [
    "https://wiki.example/a?logout_token=x&client_assertion=y&tab=2",
    "https://wiki.example/a?tab=2",
  ],
  ["/done?code=x&state=y&tab=2", "/done?state=y&tab=2"],
  ["/shop?code=SUMMER", "/shop?code=SUMMER"],
  ["/a?access_tokens=1&token=2&q=access_token=3", "/a?access_tokens=1&token=2&q=access_token=3"],
  ["/a?q=%ff&&=&?", "/a?q=%ff&&=&?"],
  ["/access_token=x", "/access_token=x"],
])("%s is copied as %s", (address, copied) => {
  expect(withoutSecrets(address)).toBe(copied);
});
