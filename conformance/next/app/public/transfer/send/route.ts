import { auth, route } from "../../../../auth";

export const POST = route(async (request: Request) => {
  const { user } = (await auth()).require({ acr: ["mfa"] });
  const form = new URLSearchParams(await request.text());
  return new Response(`${user.name} has transferred ${form.get("amount")}`);
});
