// Only the development server of Vite 5 to 7 needs this.
export default { optimizeDeps: { exclude: ["monomi-shogi"] } };
