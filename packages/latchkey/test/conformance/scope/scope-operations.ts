import { section, type Section } from "./scope-section.ts";

const refresh = section("Operations: refresh of access tokens", [
  ["OP-001", "many requests of two instances spend one refresh token once"],
  ["OP-002", "the same with sessions in cookies, whatever the order of the responses"],
  ["OP-003", "the new session leaves with the response, without the handler's doing"],
  ["OP-004", "renewals beside a refresh keep the newest tokens"],
  ["OP-005", "the loser of a race uses the tokens of the winner"],
  ["OP-006", "a page that began before a refresh and ends after it does no harm"],
  ["OP-007", "while the provider is down, a token that is still valid is used"],
  ["OP-008", "a lost answer is followed by exactly one more attempt"],
  ["OP-009", "a browser that never got the new cookie is healed at another instance"],
  ["OP-010", "an instance that dies during a refresh delays no request for long"],
  ["OP-011", "tokens that the store did not take reach their caller, and are written later"],
  ["OP-012", "a logout during a refresh ends the new tokens, too"],
  ["OP-013", "a refresh whose lease was lost writes over nothing newer"],
  ["OP-014", "many refreshes that are due at the same moment are spread"],
  ["OP-015", "tokens for two resources are not mixed up"],
  ["OP-016", "if refreshes cannot be made safe, the start reports it"],
  ["OP-017", "four tabs that extend a session send one request"],
]);

const store = section("Operations: a store that fails", [
  ["OP-020", "a store that is not there ends the start with one sentence"],
  ["OP-021", "a store that stands still costs a second at most, then nothing"],
  ["OP-022", "a slow store is distinguished from one that is down"],
  ["OP-023", "a logout that the store cannot take is pending until it can"],
  ["OP-024", "a sign-in that cannot be saved is answered with 503 and a way on"],
  ["OP-025", "public pages work without the store"],
  ["OP-026", "a store that takes no writes serves reads"],
  ["OP-027", "Redis Cluster and Sentinel, with failover"],
  ["OP-028", "instances come back to a store one after another"],
  ["OP-029", "a long outage fills no log"],
  ["OP-030", "settings of Redis that lose sessions are warned of"],
  ["OP-031", "stores of others can be tested by our tests"],
  ["OP-033", "ended sessions that a client of Redis keeps are dropped in time"],
  ["OP-034", "marks of a million sign-outs leave the memory again"],
]);

const provider = section("Operations: a provider that fails", [
  ["OP-040", "a busy provider is left alone for as long as it says"],
  ["OP-041", "old metadata serve while the provider says nothing"],
  ["OP-042", "no request waits for a provider known to be down"],
  ["OP-043", "after a day of silence sign-ins are refused, and sessions live on"],
  ["OP-044", "keys may be exchanged at any time"],
  ["OP-045", "only a fetch of keys that succeeded counts for the pause"],
  ["OP-046", "an overloaded provider gets fewer requests, and users see it soon"],
  ["OP-047", "a connection that the provider has closed is no failure"],
  ["OP-048", "lifetimes of metadata and keys are the provider's, within bounds"],
  ["OP-049", "waiting sign-ins slow down no other request"],
]);

const deploys = section("Operations: start, readiness, end and deploys", [
  ["OP-060", "an instance ends without a refused or cut request"],
  ["OP-061", "a sign-in under way is finished before the end"],
  ["OP-062", "a sign-in begun at an old instance ends at a new one, and the reverse"],
  ["OP-063", "probes report the state, and touch no session"],
  ["OP-064", "what is owed to the provider is done before the end, or said"],
  ["OP-065", "the former version and this one live beside each other"],
  ["OP-066", "misspelt and renamed variables are named at the start"],
  ["OP-067", "sessions in cookies move into a store that is switched on"],
  ["OP-068", "a store for one machine is refused for several instances"],
  ["OP-069", "an uncaught error ends the process in order"],
  ["OP-070", "an event loop that stood still is counted and logged"],
]);

const keys = section("Operations: secrets and keys", [
  ["OP-080", "a session of an unknown key is left alone"],
  ["OP-081", "a secret is rotated in three steps, and no user is signed out"],
  ["OP-082", "secrets come from files, and are read again when these change"],
  ["OP-083", "a key that is still in use is not dropped without a warning"],
  ["OP-084", "keys may come from a key management service"],
  ["OP-085", "a key that has sealed very often is warned of"],
]);

const ends = section("Operations: ends of sessions", [
  ["OP-090", "tokens are revoked at logout, which waits for none of it"],
  ["OP-091", "the order of sign-ins and sign-outs is that of the provider's clock"],
  ["OP-092", "front-channel logout ends the session that it names"],
  ["OP-093", "open tabs hear of an end within seconds"],
  ["OP-094", "all tabs of a browser share one stream"],
  ["OP-095", "streams pass proxies, and renew no session"],
  ["OP-096", "what was missed while a subscription was cut is found afterwards"],
  ["OP-097", "thousands of streams cost little, and have a limit"],
  ["OP-098", "an operator ends all sessions of a person"],
]);

const databases = section("Operations: SQLite and PostgreSQL", [
  ["OP-110", "many processes open a new file at the same time"],
  ["OP-111", "a locked file does not block the event loop"],
  ["OP-112", "a full disk stops writes only"],
  ["OP-113", "what has expired is removed in small steps"],
  ["OP-114", "a backup under load is consistent"],
  ["OP-115", "PostgreSQL does what Redis does, behind PgBouncer too"],
  ["OP-116", "a file on a network disk is refused"],
]);

const telemetry = section("Operations: what operators see", [
  ["OP-130", "what happens is one event with a reason, and holds no secret"],
  ["OP-131", "metrics cost little, and their series do not grow with people"],
  ["OP-132", "OpenTelemetry is used if the app registers it"],
  ["OP-133", "spans hold neither code nor state"],
  ["OP-134", "an unread log blocks no request"],
  ["OP-135", "the log says why a person was signed out"],
  ["OP-136", "the dashboard and the alert rules load"],
]);

export const operations: readonly Section[] = [
  refresh,
  store,
  provider,
  deploys,
  keys,
  ends,
  databases,
  telemetry,
];
