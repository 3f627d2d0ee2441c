// Checks of all JavaScript; .ci/javascript runs them.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, MONOMI: "readonly" } },
    rules: {
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-shadow": "off",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  // Tests run functions in pages, whose names they use.
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: { "no-undef": "off" },
  },
  { files: ["web/package/src/worker.js", "web/lishogi/worker.js"], languageOptions: { globals: globals.worker } },
  { files: ["web/app/service-worker.js"], languageOptions: { sourceType: "script", globals: globals.serviceworker } },
  { files: ["web/lishogi/monomi.js"], languageOptions: { sourceType: "script" } },
  {
    files: ["kifu/analysis/src/output/report/live.js"],
    languageOptions: { globals: { Engine: "readonly", WorkerEngine: "readonly", embeddedEngine: "readonly" } },
  },
];
