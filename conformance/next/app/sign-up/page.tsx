import { auth } from "../../auth";

export default async function SignUp() {
  (await auth()).login({ returnTo: "/private", params: { screen_hint: "signup", max_age: 600 } });
}
