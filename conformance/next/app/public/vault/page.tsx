import { auth } from "../../../auth";

/** For people who have signed in with a second factor. */
export default async function VaultPage() {
  const { user } = (await auth()).require({ acr: ["mfa"] });
  return <h1>{`Vault of ${user.name}`}</h1>;
}
