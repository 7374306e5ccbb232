/** A process with an app, whose settings are its argument. It reports what it did on request. */
import { flushCompileCache } from "node:module";

import { openRelayApp, type RelayAppSettings } from "./open-relay-app.ts";

const app = await openRelayApp(JSON.parse(process.argv[2] ?? "") as RelayAppSettings);

process.on("message", ({ advanceMs }: { readonly advanceMs?: number }) => {
  void app.facts(advanceMs).then((facts) => process.send?.({ facts }));
});
process.send?.({ origin: app.origin });
// It is killed, so it writes nothing at its end.
flushCompileCache();
