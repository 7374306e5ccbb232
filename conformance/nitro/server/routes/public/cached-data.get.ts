import { defineCachedHandler } from "nitro/cache";

export default defineCachedHandler(({ context }) => `Kept for ${context.auth.user?.name}`, {
  maxAge: 60,
});
