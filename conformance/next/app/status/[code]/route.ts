import { route } from "../../../auth";

type Context = { readonly params: Promise<{ readonly code: string }> };

export const GET = route(
  async (_request: Request, { params }: Context) =>
    new Response(null, { status: Number((await params).code) }),
);
