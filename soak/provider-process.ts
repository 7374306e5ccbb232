/**
 * The provider as a process of its own, to stop, kill and start again. Its arguments: the app's
 * address, the lifetime of access tokens, the folder of its data, and its port.
 */
import { startProvider } from "@latchkey/provider";

const [appURL = "", seconds, dataFolder = "", port] = process.argv.slice(2);
const provider = await startProvider({
  appURL,
  port: Number(port),
  dataFolder,
  clientSecret: "a-client-secret-of-the-soak-run-0123456789",
  lifetimes: { accessToken: Number(seconds) },
});
const [client] = provider.clients;
process.send?.({
  issuer: provider.issuer,
  client: { id: client?.id ?? "", secret: client?.secret ?? "" },
});
process.on("disconnect", () => process.exit());
