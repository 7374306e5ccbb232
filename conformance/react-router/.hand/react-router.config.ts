export default { prerender: ["/about", "/public/streamed"] };
