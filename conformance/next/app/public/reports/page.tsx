import { AccessTokenError } from "latchkey";
import { redirect } from "next/navigation";
import { auth } from "../../../auth";

/** Leads to login for a scope which the provider never grants. */
export default async function Reports() {
  const { accessToken } = (await auth()).require();
  const token = await accessToken({ scopes: ["reports"] }).catch(refusalOf);
  if (token instanceof AccessTokenError) redirect("/api/auth/login?returnTo=/public/reports");
  return <h1>Reports</h1>;
}

function refusalOf(error: unknown): AccessTokenError {
  if (error instanceof AccessTokenError) return error;
  throw error;
}
