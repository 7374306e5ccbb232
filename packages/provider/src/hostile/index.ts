export { startHostileProvider } from "./start-hostile-provider.ts";
export type { Conduct, HostileProvider } from "./start-hostile-provider.ts";
export type {
  Behaviour,
  Endpoint,
  Members,
  Parameter,
  Situation,
  TokenFault,
} from "./behaviour.ts";
export { behaviourNames, behaviourOf, behavioursOfID } from "./behaviours/index.ts";
export type { BehaviourName } from "./behaviours/index.ts";
export type { Entry, Expectation, Needs } from "./behaviours/entry.ts";
export { defaultHostileClient } from "./client.ts";
export type { HostileAlgorithm, HostileAuthMethod, HostileClient } from "./client.ts";
export type { Complaint } from "./context.ts";
export type { ResponseParts, Fault } from "./faults.ts";
export type { KeyRing, Signer, SigningKey } from "./key-ring.ts";
export type { SeenRequest } from "./request-log.ts";
export { defaultHostilePerson } from "./settings.ts";
export type { HostileSettings } from "./settings.ts";
export type { BrowserRequest } from "./user-agent.ts";
