import { auth } from "../../../../auth";

export default async function EditorsPage() {
  const { user } = (await auth()).require((session) => session.user.sub === "person-ada");
  return <h1>{`Editor ${user.name}`}</h1>;
}
