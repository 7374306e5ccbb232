import type { GetServerSideProps } from "next";
import { auth } from "../auth";

interface Props {
  readonly name: string;
  readonly locale: string;
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, locale = "" }) => {
  const { user } = (await auth(req, res)).require();
  return { props: { name: String(user.name), locale } };
};

export default function Private({ name, locale }: Props) {
  return <h1>{`Private page of ${name} in ${locale}`}</h1>;
}
