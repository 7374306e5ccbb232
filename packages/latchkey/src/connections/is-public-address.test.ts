import { describe, expect, test } from "vitest";

import { isPublicAddress } from "./is-public-address.ts";

describe("an address that a customer typed [MX-010]", () => {
  test.each([
    "https://id.acme.example/",
    "https://acme.eu.auth0.com:443/",
    "https://login.microsoftonline.com/contoso/v2.0",
    "https://localhost.acme.example/",
    "https://bücher.example/",
  ])("%s may be called", (address) => {
    expect(isPublicAddress(new URL(address))).toBe(true);
  });

  test.each([
    ["http", "http://id.acme.example/"],
    ["another port", "https://id.acme.example:8443/"],
    ["a user", "https://admin@id.acme.example/"],
    ["a password", "https://:secret@id.acme.example/"],
    ["an IPv4 address", "https://10.0.0.1/"],
    ["the address of cloud metadata", "https://169.254.169.254/"],
    ["an IPv4 address in hexadecimal", "https://0x7f.1/"],
    ["an IPv4 address as one number", "https://2130706433/"],
    ["an IPv6 address", "https://[::1]/"],
    ["an IPv4 address as IPv6", "https://[::ffff:10.0.0.1]/"],
    ["a single label", "https://intranet/"],
    ["localhost with a dot at the end", "https://localhost./"],
    ["a name below localhost", "https://id.localhost/"],
    ["a name of mDNS", "https://printer.LOCAL/"],
    ["a name of a cloud's own network", "https://metadata.google.internal/"],
    ["a name of a home network", "https://nas.home.arpa/"],
  ])("with %s may not be called", (_, address) => {
    expect(isPublicAddress(new URL(address))).toBe(false);
  });
});
