import type { NextApiRequest, NextApiResponse } from "next";
import { auth } from "../../auth";

export default async function me(request: NextApiRequest, response: NextApiResponse) {
  const { user } = (await auth(request, response)).require();
  response.json(user);
}
