import { Message } from "./message.tsx";

/** The network that a sign-in came from, with a word that says what these numbers are. */
export function NetworkFact({ network }: { network: string }) {
  return (
    <Message
      id="devices.network"
      tags={{ network: () => <bdi dir="ltr">{network.replace("…", "x")}</bdi> }}
    />
  );
}
