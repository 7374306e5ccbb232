import type { Behavior, Parameter } from "../behavior.ts";
import type { Entry } from "./entry.ts";
import { dropParameters, entry, replaceParameter, without } from "./entry.ts";

type Change = (parameters: readonly Parameter[]) => readonly Parameter[];

const otherIssuer = "https://issuer-b.example";
const markup = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

function bad(says: string, change: Change, more: Behavior = {}): Entry {
  return entry("refuse", says, { ...more, authorizationResponse: change });
}

function errorResponse(error: string, ...more: readonly Parameter[]): Change {
  return (parameters) => [
    ["error", error],
    ...more,
    ...dropParameters(parameters, "code", "id_token"),
  ];
}

function twice(name: string, other: string): Change {
  return (parameters) => [...parameters, [name, other]];
}

const withoutFlag: Behavior = {
  metadata: (metadata) => without(metadata, "authorization_response_iss_parameter_supported"),
};

/** Responses of the authorization endpoint. */
export const authorizationResponse = {
  "CERT-044": {
    ...bad(
      "posts an error",
      errorResponse("login_required", ["error_description", "Sign in first, <b>please</b>."]),
    ),
    needs: { responseMode: "form_post" },
  },
  "CERT-082": entry("accept", "sends a session_state along", {
    authorizationResponse: (parameters) => [...parameters, ["session_state", "abc.def"]],
  }),
  "CERT-095": entry("accept", "posts the response", {}, { responseMode: "form_post" }),
  "FAPI-012": bad("names another issuer in iss", (p) =>
    replaceParameter(p, "iss", () => otherIssuer),
  ),
  "FAPI-013": bad("promises iss and leaves it out", (p) => dropParameters(p, "iss")),
  "FAPI-014/altered": bad("alters the state", (p) =>
    replaceParameter(p, "state", (state) => `${state}x`),
  ),
  "FAPI-014/missing": bad("drops the state", (p) => dropParameters(p, "state")),
  "STD-001/access_denied": bad("responds with access_denied", errorResponse("access_denied")),
  "STD-001/login_required": bad("responds with login_required", errorResponse("login_required")),
  "STD-001/server_error": bad(
    "responds with server_error",
    errorResponse("server_error", ["error_description", "Something broke."]),
  ),
  "STD-001/unknown": bad(
    "responds with an error that no standard defines",
    errorResponse("out_of_tea"),
  ),
  "STD-001/wrong-state": bad("responds with an error and another state", (parameters) =>
    replaceParameter(errorResponse("access_denied")(parameters), "state", (state) => `${state}x`),
  ),
  "STD-002": bad("responds with a code and an error", twice("error", "access_denied")),
  "STD-003/code": bad("responds with two codes", twice("code", "another-code")),
  "STD-003/state": bad("responds with two states", twice("state", "another-state")),
  "STD-003/iss": bad("responds with two issuers", twice("iss", otherIssuer)),
  "STD-003/query-and-form": entry(
    "refuse",
    "posts the response to an address with another response in its query",
    {
      queryBesideForm: () => [
        ["code", "another-code"],
        ["state", "another-state"],
      ],
    },
    { responseMode: "form_post" },
  ),
  "STD-031/uninvited-form": entry(
    "refuse",
    "posts the response although the request did not ask for it",
    { responseMode: "form_post" },
    { responseType: "code", responseMode: "query" },
  ),
  "STD-031/query-instead-of-form": entry(
    "refuse",
    "puts the response into the query although the request asked for a form",
    { responseMode: "query" },
    { responseType: "code id_token", responseMode: "form_post" },
  ),
  "STD-042": bad("responds with the code of another sign-in", (p) =>
    replaceParameter(p, "code", () => "code-of-another-browser"),
  ),
  "STD-046": bad("responds in the name of another issuer", (p) =>
    replaceParameter(p, "iss", () => otherIssuer),
  ),
  "STD-063": bad("appends a slash to iss", (p) => replaceParameter(p, "iss", (iss) => `${iss}/`)),
  "STD-064/code": bad("promises iss and leaves it out beside the code", (p) =>
    dropParameters(p, "iss"),
  ),
  "STD-064/error": bad("promises iss and leaves it out beside an error", (parameters) =>
    dropParameters(errorResponse("access_denied")(parameters), "iss"),
  ),
  "STD-065/right": entry("accept", "sends its iss without having promised it", withoutFlag),
  "STD-065/wrong": bad(
    "sends another iss without having promised any",
    (p) => replaceParameter(p, "iss", () => otherIssuer),
    withoutFlag,
  ),
  "STD-017/no-code": bad("responds without a code", (p) => dropParameters(p, "code")),
  "STD-017/empty-code": bad("responds with an empty code", (p) =>
    replaceParameter(p, "code", () => ""),
  ),
  "STD-147/error": bad(
    "puts line breaks and control characters into the texts of an error",
    errorResponse("access_denied\r\nSet-Cookie: evil=1", [
      "error_description",
      "a\r\nSet-Cookie: evil=1\r\n\r\n\0\u2028\u0085é",
    ]),
  ),
  "ATK-001": bad(
    "puts markup into every text of an error",
    errorResponse(
      markup,
      ["error_description", markup],
      ["error_uri", `javascript:alert(3)//${markup}`],
    ),
  ),
} satisfies Readonly<Record<string, Entry>>;
