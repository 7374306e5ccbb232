export default { outputFileTracingRoot: import.meta.dirname };
