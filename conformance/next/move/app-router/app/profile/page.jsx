import { getSession, withPageAuthRequired } from "@auth0/nextjs-auth0";

async function Profile() {
  const { user, theme, seenBy } = await getSession();
  return <h1>{`Profile of ${user.name}, ${theme ?? "no theme"}, ${seenBy ?? "not seen"}`}</h1>;
}

export default withPageAuthRequired(Profile, { returnTo: "/profile" });
