import { auth } from "../../../auth";

export default async function MembersPage() {
  const { user } = (await auth()).require();
  return <h1>{`Member ${user.name}`}</h1>;
}
