import type { User } from "../users/sample-users.ts";

const names: readonly (readonly [string, string])[] = [
  ["Amara", "Lindqvist"],
  ["Bruno", "Keller"],
  ["Chiyo", "Mori"],
  ["Dalia", "Haddad"],
  ["Goran", "Petrov"],
  ["Hana", "Brandt"],
  ["Idris", "Okoye"],
  ["Júlia", "Costa"],
  ["Kaspar", "Vinter"],
  ["Leila", "Amiri"],
  ["Mateo", "Rojas"],
  ["Nadia", "Sokolova"],
];

const usersEach = 4;

/**
 * The users of one customer. Each customer has a `person-1`, and each is another person, as the
 * providers of customers choose `sub` without each other.
 *
 * @param place the number of the customer, from 0
 */
export function customerUsers(domain: string, place: number): readonly User[] {
  return Array.from({ length: usersEach }, (_, i) => {
    const [given = "", family = ""] = names[(place * usersEach + i) % names.length] ?? [];
    const nickname = given
      .normalize("NFD")
      .replace(/[^A-Za-z]/gu, "")
      .toLowerCase();
    return {
      sub: `person-${i + 1}`,
      name: `${given} ${family}`,
      given_name: given,
      family_name: family,
      nickname,
      email: `${nickname}@${domain}`,
      email_verified: true,
    };
  });
}
