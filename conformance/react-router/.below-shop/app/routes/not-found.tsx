import { data } from "react-router";

export const loader = () => data(null, 404);

export default function NotFound() {
  return <h1>No such page</h1>;
}
