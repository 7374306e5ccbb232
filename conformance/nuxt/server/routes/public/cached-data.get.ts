export default defineCachedEventHandler(({ context }) => `Kept for ${context.auth.user?.name}`, {
  maxAge: 60,
});
