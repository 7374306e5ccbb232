import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/sign-up";

export function loader({ context }: Route.LoaderArgs) {
  context
    .get(authContext)
    .login({ returnTo: "/private", params: { screen_hint: "signup", max_age: 600 } });
}

export default function SignUp() {
  return <p>Sign up</p>;
}
