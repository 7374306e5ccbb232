import type { GetServerSideProps } from "next";
import { auth } from "../auth";

interface Props {
  readonly name: string;
  readonly visits: number;
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res }) => {
  const { user, update } = (await auth(req, res)).require();
  const session = await update((before) => ({
    ...before,
    visits: Number(before["visits"] ?? 0) + 1,
  }));
  return { props: { name: user.name ?? user.sub, visits: Number(session?.["visits"]) } };
};

export default function Classic({ name, visits }: Props) {
  return <h1>{`Visit ${visits} of ${name}`}</h1>;
}
