import { index, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("private", "routes/private.tsx"),
  route("act", "routes/act.tsx"),
  route("about", "routes/about.tsx"),

  // Sign-in answers these in its middleware, which React Router runs for matching routes.
  route("api/auth/*", "routes/sign-in.ts", { id: "auth" }),
  route("_auth/*", "routes/sign-in.ts", { id: "auth-pages" }),
  route(".well-known/*", "routes/sign-in.ts", { id: "well-known" }),
  route("mcp", "routes/sign-in.ts", { id: "mcp" }),

  route("api/me", "routes/api-me.ts"),
  route("api/token", "routes/api-token.ts"),
  route("api/update", "routes/api-update.ts"),
  route("api/fail", "routes/api-fail.ts"),
  route("changed/:way", "routes/changed.ts"),
  route("devices/end", "routes/devices-end.ts"),
  route("require", "routes/require.ts"),
  route("require-rule", "routes/require-rule.ts"),
  route("sign-up", "routes/sign-up.tsx"),
  route("private/stream", "routes/private-stream.ts"),
  route("own-cookie/:way", "routes/own-cookie.ts"),
  route("cacheable", "routes/cacheable.ts"),
  route("fetched", "routes/fetched.ts"),
  route("late", "routes/late.ts"),
  route("files/*", "routes/files.ts"),
  route("redirect", "routes/redirect.ts"),
  route("status/:code", "routes/status.ts"),
  route("upload", "routes/upload.ts"),
  route("public/streamed", "routes/streamed.tsx"),
  route("*", "routes/not-found.tsx"),
];
