import * as v from "valibot";

import { comparableHost } from "../http/authority.ts";

/** A host of the app, as addresses spell it. */
export const hostName = v.pipe(
  v.string("must be a string"),
  v.check(
    (value) => comparableHost(value) !== null,
    "must be a host, without a scheme and a path, such as acme.example.com",
  ),
  v.transform((value) => comparableHost(value) ?? value),
);
