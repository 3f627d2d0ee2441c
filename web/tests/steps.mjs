// Runs the steps of a test one after the other, and keeps the names of those that passed.

export const passed = [];

/** Runs a step. A failure ends the test, after the name of the step. */
export async function test(name, body) {
  try {
    await body();
  } catch (error) {
    console.error(`${name}:`);
    throw error;
  }
  passed.push(name);
}
