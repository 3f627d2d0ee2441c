// Tests in Chromium that everybody can use the app: axe-core, contrast of pieces and boards, without sight. Prints what
// was seen as JSON:
//     MONOMI_NODE_MODULES=... node web/tests/everybody.mjs TARGET_WEB - - SCREENSHOTS
// CHROMIUM names the browser. No argument may be missing.
import assert from "node:assert/strict";
import { browser, home, seen, server } from "./harness.mjs";
import { testAccessibility } from "./accessibility.mjs";
import { testLooks } from "./looks.mjs";
import { testWithoutSight } from "./without-sight.mjs";

await testAccessibility(`${home}/app/`);
await testLooks(`${home}/app/`);
await testWithoutSight(`${home}/app/`);

await browser.close();
server.close();
assert.deepEqual(seen.errors, []);
assert.deepEqual(seen.foreign, []);
console.log(JSON.stringify(seen));
