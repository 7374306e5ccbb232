import { getSession, withPageAuthRequired } from "@auth0/nextjs-auth0";

export default function Profile({ user, theme, seenBy }) {
  return <h1>{`Profile of ${user.name}, ${theme ?? "no theme"}, ${seenBy ?? "not seen"}`}</h1>;
}

export const getServerSideProps = withPageAuthRequired({
  async getServerSideProps({ req, res }) {
    const { theme = null, seenBy = null } = await getSession(req, res);
    return { props: { theme, seenBy } };
  },
});
