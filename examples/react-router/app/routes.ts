import { index, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("private", "routes/private.tsx"),
  route("api/auth/*", "routes/sign-in.ts", { id: "auth" }),
  route("_auth/*", "routes/sign-in.ts", { id: "auth-pages" }),
  route("*", "routes/not-found.tsx"),
];
