// Dates as texts, in the user's time zone.

const twoDigits = (number) => String(number).padStart(2, "0");
const dayParts = (date) => [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
const timeParts = (date) => [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);

/** 2026/11/28 14:30:05, as in KIF. */
export const kifDate = (date) => `${dayParts(date).join("/")} ${timeParts(date).join(":")}`;

/** 20261128-143005, for names of files. */
export const fileDate = (date) => `${dayParts(date).join("")}-${timeParts(date).join("")}`;

/** The day so many days after another one: 2026-11-28. */
export const dayAfter = (date, days = 0) =>
  dayParts(new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)).join("-");

/** The date in a record or in the name of a file, with or without a time; null if there is none. */
export function dateOf(text) {
  const numbers = text?.match(/(\d{4})\D?(\d\d?)\D?(\d\d?)(?:\D+(\d\d?)\D?(\d\d)(?:\D?(\d\d))?)?/)?.slice(1);
  if (!numbers) return null;
  const [year, month, date, hours, minutes, seconds] = numbers.map((number) => Number(number ?? 0));
  return new Date(year, month - 1, date, hours, minutes, seconds);
}
