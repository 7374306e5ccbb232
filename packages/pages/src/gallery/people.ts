import type { Session } from "latchkey";

/** The clock of the gallery: Monday 18 May 2026, 14:02 UTC, in epoch seconds. */
export const galleryNow: number = Date.UTC(2026, 4, 18, 14, 2) / 1000;

const day = 86_400;

/** A session as it usually is: signed in three days ago, used 19 minutes ago. */
export const ada: Session = {
  user: {
    sub: "person-ada",
    name: "Ada Okafor",
    email: "ada@example.com",
    email_verified: true,
    org_id: "org_harbour",
    org_name: "harbour",
    updated_at: galleryNow - 90 * day,
    groups: ["readers", "writers", "night-shift"],
  },
  accessToken: "never shown",
  accessTokenScope: "openid profile email offline_access reports:read",
  accessTokenExpiresAt: galleryNow + 1740,
  refreshToken: "never shown",
  times: {
    startedAt: galleryNow - 3 * day,
    createdAt: galleryNow - 3 * day,
    updatedAt: galleryNow - 1140,
    rollingEndsAt: galleryNow + day - 1140,
    absoluteEndsAt: galleryNow + 4 * day,
    endsAt: galleryNow + day - 1140,
  },
};

/** Nothing but what a provider must say. */
export const nobodySpecial: Session = { user: { sub: "5f2c9a10" }, times: ada.times };

/** Names and addresses as long as they come. */
export const longNamed: Session = {
  ...ada,
  user: {
    ...ada.user,
    sub: "auth0|7c0e1d9a5b2f4e6f8a1b3c5d7e9f0a2b4c6d8e0f",
    name: "Maximiliane Alexandra Wilhelmine von Hohenfels-Castellane zu Rothenstein",
    email: "maximiliane.alexandra.wilhelmine.von.hohenfels@long-department-name.example.com",
    groups: Array.from(
      { length: 120 },
      (_, place) => `department-${place + 1}/readers-and-writers`,
    ),
  },
};

/** A name of 300 characters without a space, and an address as long as addresses may be. */
export const endless: Session = {
  ...ada,
  user: {
    ...ada.user,
    name: "Wolfeschlegelsteinhausen".repeat(13).slice(0, 300),
    email: `${"a".repeat(64)}@${"long-department.".repeat(11)}example.com`,
  },
};

/** A name written from right to left. */
export const layla: Session = {
  ...ada,
  user: { ...ada.user, sub: "person-layla", name: "ليلى حداد", email_verified: false },
};

/** A name of one picture, and no other word. */
export const astronaut: Session = { ...ada, user: { sub: "person-emoji", name: "👩‍🚀" } };

/** A name with markup in it. */
export const markup: Session = {
  ...ada,
  user: { ...ada.user, sub: "person-markup", name: "<b>Ada</b> & <script>alert(1)</script>" },
};

/** A name in both directions. */
export const bothWays: Session = {
  ...ada,
  user: { ...ada.user, sub: "person-both", name: "Ada ليلى (Okafor) حداد 3" },
};

/** An address as short as they come, and no name. */
export const shortAddress: Session = { ...ada, user: { sub: "5f2c9a10", email: "a@b" } };

/** Every kind of claim: objects, long texts, and long lists. */
export const manyClaims: Session = {
  ...ada,
  user: {
    ...ada.user,
    given_name: "Ada",
    family_name: "Okafor",
    nickname: "ada",
    preferred_username: "ada.okafor",
    website: "https://ada.example.com/",
    birthdate: "1990-12-10",
    zoneinfo: "Europe/Lisbon",
    locale: "en-GB",
    phone_number: "+351 555 0100",
    address: {
      street_address: "12 Harbour Road",
      locality: "Lisbon",
      postal_code: "1100-101",
      country: "PT",
      formatted: "12 Harbour Road\n1100-101 Lisbon\nPortugal",
    },
    groups: Array.from({ length: 200 }, (_, place) => `department-${place + 1}`),
    roles: ["reader", "writer"],
    motto: "A harbour is a place where one arrives. ".repeat(20).trim(),
  },
};

export function withPicture(address: string): Session {
  return { ...ada, user: { ...ada.user, picture: address } };
}

function signedInAWeekBefore(endsAt: number) {
  return {
    startedAt: endsAt - 7 * day,
    createdAt: endsAt - 7 * day,
    absoluteEndsAt: endsAt,
  };
}

/** The same person with a session that ends in so many seconds, with or without use. */
export function endingIn(seconds: number, end: "idle" | "absolute" | "only-absolute"): Session {
  const { times } = ada;
  const endsAt = galleryNow + seconds;
  switch (end) {
    case "idle":
      return {
        ...ada,
        times: { ...times, updatedAt: endsAt - day, rollingEndsAt: endsAt, endsAt },
      };
    case "absolute":
      return { ...ada, times: { ...times, ...signedInAWeekBefore(endsAt), endsAt } };
    case "only-absolute":
      return {
        ...ada,
        times: { ...times, ...signedInAWeekBefore(endsAt), rollingEndsAt: null, endsAt },
      };
  }
}
