import { authContext } from "latchkey/react-router";
import { Form } from "react-router";
import type { Route } from "./+types/act";

export async function action({ context }: Route.ActionArgs) {
  const { user } = context.get(authContext).require();
  console.log(`${user.sub} has acted`);
  return { name: user.name ?? user.sub };
}

export const loader = () => null;

export default function Act({ actionData }: Route.ComponentProps) {
  return (
    <Form method="post">
      <p>{actionData ? `Done by ${actionData.name}` : "Nothing done"}</p>
      <button>Act</button>
    </Form>
  );
}
