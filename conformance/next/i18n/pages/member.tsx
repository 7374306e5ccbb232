import type { GetServerSideProps } from "next";
import { auth } from "../auth";

interface Props {
  readonly name: string;
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res }) => {
  const { user } = (await auth(req, res)).require();
  return { props: { name: String(user.name) } };
};

export default function Member({ name }: Props) {
  return <h1>{`Member ${name}`}</h1>;
}
