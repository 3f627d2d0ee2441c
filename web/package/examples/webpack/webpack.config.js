export default { mode: "production", entry: "./main.js" };
