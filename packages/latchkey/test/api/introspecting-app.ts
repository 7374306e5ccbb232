import type { IntrospectionOptions } from "../../src/api/settings.ts";
import { type ApiApp, audience, createApiApp, startSeconds } from "./api-app.ts";

/** The answer to a good token. */
export const good = {
  active: true,
  iss: "https://op.example",
  aud: audience,
  sub: "ada",
  client_id: "robot",
  scope: "read write",
  token_type: "Bearer",
  exp: startSeconds + 300,
};

export interface IntrospectingApp {
  readonly app: ApiApp;
  /** The forms that the endpoint got. */
  readonly asked: URLSearchParams[];
  answer: () => Response | Promise<Response>;
}

export async function createIntrospectingApp(
  options: IntrospectionOptions = {},
  answer: () => Response | Promise<Response> = () => Response.json(good),
): Promise<IntrospectingApp> {
  const app = await createApiApp({ introspection: options });
  const world: IntrospectingApp = { app, asked: [], answer };
  app.issuer.answers.set("/introspect", (body) => {
    world.asked.push(body);
    return world.answer();
  });
  return world;
}
