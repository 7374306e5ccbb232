/** The user of all sign-ins. With the tokens, the session is about 2.6 kB of JSON. */
export const person = {
  sub: "person-bench",
  name: "Ida Lindqvist-Okonkwo",
  given_name: "Ida",
  family_name: "Lindqvist-Okonkwo",
  nickname: "ida",
  email: "ida.lindqvist-okonkwo@example.com",
  email_verified: true,
  locale: "en-GB",
  updated_at: 1_760_000_000,
  org_id: "org_harbour",
  org_name: "harbour",
  roles: Array.from({ length: 17 }, (_, index) => `project-${index + 1}:maintainer`),
};
