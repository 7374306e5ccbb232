import { Act } from "./act";

export default function ActPage() {
  return <Act />;
}
