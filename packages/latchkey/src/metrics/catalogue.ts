/** A metric: its OpenTelemetry name, and its meaning. */
export interface MetricDefinition {
  readonly kind: "counter" | "histogram" | "gauge" | "up-down";
  /** As in UCUM: `s`, `By`, or `1` for a count. */
  readonly unit: "s" | "By" | "1";
  readonly description: string;
}

/**
 * Every metric. Attributes have closed sets of values: the number of series depends neither on
 * users nor on paths. With several connections, those of sign-in, session and provider also have
 * `connection`, and with several base URLs `host`; see `createLabels`.
 */
export const catalogue = {
  "latchkey.sign_in.count": counter("Sign-ins, by outcome and reason"),
  "latchkey.sign_in.duration": seconds("From the login route to the end of the callback"),
  "latchkey.sign_out.count": counter(
    "Sign-outs, by reason, and whether they are not yet in the store",
  ),
  "latchkey.session.read.count": counter("Reads of a session, by what it was found to be"),
  "latchkey.refresh.duration": seconds("Refreshes of access tokens, by outcome"),
  "latchkey.refresh.lease_lost.count": counter(
    "Results of a refresh that came after its lease was lost",
  ),
  "latchkey.revocation.count": counter("Revocations of tokens, by outcome"),
  "latchkey.provider.request.duration": seconds("Calls to the provider, by endpoint and outcome"),
  "latchkey.provider.age": gauge("s", "Age of what the provider publishes, by document"),
  "latchkey.provider.state": gauge("1", "0 up, 2 down"),
  "latchkey.store.operation.duration": seconds("Operations of the store, by outcome"),
  "latchkey.store.state": gauge("1", "0 up, 1 read-only, 2 down"),
  "latchkey.mark.pending": gauge("1", "Sign-outs not yet in the store"),
  "latchkey.key.open.count": counter("Sessions opened, by the key that sealed them"),
  "latchkey.key.seal.count": counter("Sessions sealed, by key"),
  "latchkey.device.proof.count": counter("Proofs of devices, and requests without one, by outcome"),
  "latchkey.event_loop.blocked.count": counter(
    "How often an instance has not responded for more than a second",
  ),
  "latchkey.cookie.size": histogram("By", "Cookies that were written"),
  "latchkey.stream.open": {
    kind: "up-down",
    unit: "1",
    description: "Open pages that listen for the end of their session",
  },
} satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof catalogue;

/** Upper bounds of the buckets: of durations those of `http.server.request.duration`. */
export const bounds: Readonly<Record<"s" | "By", readonly number[]>> = {
  s: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  By: [256, 512, 1024, 2048, 4096, 8192, 16_384],
};

function counter(description: string): MetricDefinition {
  return { kind: "counter", unit: "1", description };
}

function seconds(description: string): MetricDefinition {
  return histogram("s", description);
}

function histogram(unit: "s" | "By", description: string): MetricDefinition {
  return { kind: "histogram", unit, description };
}

function gauge(unit: "s" | "1", description: string): MetricDefinition {
  return { kind: "gauge", unit, description };
}
