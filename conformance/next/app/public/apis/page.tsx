import { auth } from "../../../auth";
import { Facts } from "../../facts";

/** A page that calls two APIs, each with a token of its own. */
export default async function APIsPage() {
  const { accessToken } = await auth();
  const tokenFor = (resource: string) =>
    accessToken({ resource }).catch(({ code, message }) => `${code}: ${message}`);
  return (
    <Facts
      facts={{
        orders: await tokenFor("https://orders.example"),
        invoices: await tokenFor("https://invoices.example"),
      }}
    />
  );
}
