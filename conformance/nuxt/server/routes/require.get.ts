export default defineEventHandler(({ context }) => `Member ${context.auth.require().user.name}`);
