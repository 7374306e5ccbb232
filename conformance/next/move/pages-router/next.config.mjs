export default { outputFileTracingRoot: import.meta.dirname, skipTrailingSlashRedirect: true };
