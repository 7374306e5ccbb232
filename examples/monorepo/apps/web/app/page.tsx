import { auth } from "../auth";

const api = "http://localhost:3001";

interface Orders {
  readonly of: string;
  readonly orders: readonly string[];
}

export default async function OrdersPage() {
  const signedIn = (await auth()).require();
  const token = await signedIn.accessToken({ resource: api });
  const headers = { Authorization: `Bearer ${token}` };
  const { of, orders }: Orders = await (await fetch(`${api}/orders`, { headers })).json();
  return (
    <main>
      <h1>{`Orders of ${of}`}</h1>
      <ul>
        {orders.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <form method="post" action="/api/auth/logout">
        <button>Sign out</button>
      </form>
    </main>
  );
}
