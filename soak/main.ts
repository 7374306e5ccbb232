/**
 * Tests too long for `npm test`. Each prints its figures, and fails if a requirement does not hold.
 *
 *     npm run soak [rounds]                        refreshes at three processes
 *     npm run soak deploys [requests]              a crowd, while instances are replaced
 *     npm run soak faults [rounds]                 refreshes, while wires break and processes stop
 *     npm run soak outage [minutes]                a provider without answers
 *     npm run soak metrics                         the cost of metrics
 *     npm run soak streams [pages]                 the cost of open pages with a stream
 *     npm run soak previous <commit> [requests]    a former version beside this one
 *     npm run soak record <commit>                 data of a former version, for a test
 */
import path from "node:path";
import { buildWhatChanged } from "../tools/start/build.ts";
import { provideServers } from "../tools/servers/provide-servers.ts";

const [part = "1000", ...words] = process.argv.slice(2);

function number(text: string | undefined, byDefault: number): number {
  const value = Number(text ?? byDefault);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${text} is no number of anything.`);
}

// The parts import the build.
buildWhatChanged(path.join(import.meta.dirname, ".."));
provideServers();

switch (part) {
  case "deploys": {
    const { soakDeploys } = await import("./deploys.ts");
    await soakDeploys(number(words[0], 100_000));
    break;
  }
  case "faults": {
    const { soakFaults } = await import("./faults.ts");
    await soakFaults(number(words[0], 200));
    break;
  }
  case "metrics": {
    const { soakMetrics } = await import("./metrics.ts");
    await soakMetrics();
    break;
  }
  case "outage": {
    const { soakOutage } = await import("./outage.ts");
    await soakOutage(number(words[0], 60));
    break;
  }
  case "previous": {
    const { soakPrevious } = await import("./previous.ts");
    await soakPrevious(words[0] ?? "HEAD~1", number(words[1], 20_000));
    break;
  }
  case "record": {
    const [{ unpackFormer }, { recordFormer }] = await Promise.all([
      import("./previous.ts"),
      import("./record.ts"),
    ]);
    await recordFormer(unpackFormer(words[0] ?? "HEAD~1"));
    break;
  }
  case "streams": {
    const { soakStreams } = await import("./streams.ts");
    await soakStreams(number(words[0], 5000));
    break;
  }
  default: {
    const { soakRefreshes } = await import("./refreshes.ts");
    await soakRefreshes(number(part, 1000));
  }
}
