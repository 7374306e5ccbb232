import { auth } from "../../../auth";
import { Facts } from "../../facts";
import { Settings } from "./settings";

export default async function SettingsPage() {
  const { session } = await auth();
  return (
    <>
      <Facts facts={{ theme: session?.["theme"] }} />
      <Settings />
    </>
  );
}
