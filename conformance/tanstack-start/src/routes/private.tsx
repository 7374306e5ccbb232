import { createFileRoute, Link } from "@tanstack/react-router";
import { getName } from "../server/people";

export const Route = createFileRoute("/private")({
  validateSearch: (search): { tab?: number } =>
    "tab" in search ? { tab: Number(search.tab) } : {},
  loader: async () => ({ name: await getName() }),
  component: Private,
});

function Private() {
  const { name } = Route.useLoaderData();
  return (
    <main>
      <h1>{`Private page of ${name}`}</h1>
      <Link to="/">Home</Link>
    </main>
  );
}
