/** A sample person: an identifier, and claims for the scopes in `configuration.ts`. */
export interface User {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified?: boolean;
  /** Default: a picture of this provider. */
  readonly picture?: string;
  readonly org_id?: string;
  readonly org_name?: string;
  /** One line for the sign-in page: what is special about this person. It may be a `RemarkName`. */
  readonly remark?: string;
  readonly [claim: string]: unknown;
}

const updatedAt = 1_760_000_000;

function person(claims: User): User {
  return { email_verified: true, updated_at: updatedAt, ...claims };
}

/** The fictitious users of the sign-in page, by default. */
export const sampleUsers: readonly User[] = [
  person({
    sub: "person-ada",
    name: "Ada Okafor",
    given_name: "Ada",
    family_name: "Okafor",
    nickname: "ada",
    email: "ada@example.com",
    locale: "en",
    org_id: "org_harbour",
    org_name: "harbour",
  }),
  person({
    sub: "person-ben",
    name: "Ben Castellan",
    given_name: "Ben",
    family_name: "Castellan",
    nickname: "ben",
    email: "ben@example.com",
    locale: "en",
    org_id: "org_harbour",
    org_name: "harbour",
  }),
  person({
    sub: "person-clara",
    name: "Clara Nowak",
    given_name: "Clara",
    family_name: "Nowak",
    nickname: "clara",
    email: "clara@example.org",
    locale: "de",
    org_id: "org_orchard",
    org_name: "orchard",
  }),
  person({
    sub: "person-dmitri",
    name: "Dmitri Lund",
    given_name: "Dmitri",
    family_name: "Lund",
    nickname: "dmitri",
    email: "dmitri@example.net",
    locale: "en",
    remark: "noOrganization",
  }),
  person({
    sub: "person-emi",
    name: "Emi Tanaka",
    given_name: "Emi",
    family_name: "Tanaka",
    nickname: "emi",
    email: "emi@example.net",
    email_verified: false,
    locale: "ja",
    remark: "unconfirmed",
  }),
  person({
    sub: "person-layla",
    name: "ليلى حداد",
    given_name: "ليلى",
    family_name: "حداد",
    nickname: "layla",
    email: "layla@example.com",
    locale: "ar",
    org_id: "org_orchard",
    org_name: "orchard",
    remark: "rightToLeft",
  }),
  person({
    sub: "person-maximiliane",
    name: "Maximiliane Alexandra Wilhelmine von Hohenfels-Castellane zu Rothenstein",
    given_name: "Maximiliane Alexandra Wilhelmine",
    family_name: "von Hohenfels-Castellane zu Rothenstein",
    nickname: "max",
    email: "maximiliane.alexandra.wilhelmine.von.hohenfels@long-department-name.example.com",
    locale: "de",
    groups: Array.from({ length: 60 }, (_, i) => `department-${i + 1}/readers-and-writers`),
    remark: "longName",
  }),
];
