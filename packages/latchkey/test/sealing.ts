import type { SealingKeys, SealingSite } from "../src/config/sealed-names.ts";
import { deriveKeyRing } from "../src/crypto/key-ring.ts";

export const primarySite: SealingSite = {
  origin: "https://app.example",
  isPrimary: true,
  namesAll: false,
};

/** The keys for the values of a sign-in. */
export function transactionKeys(secrets: readonly string[]): SealingKeys {
  const plain = deriveKeyRing(secrets, "transaction");
  const named = deriveKeyRing(secrets, "named-transaction");
  return { plain: () => plain, named: () => named };
}
