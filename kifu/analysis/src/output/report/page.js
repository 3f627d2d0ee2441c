// What all pages share: the language, texts, and elements.
import { REPORT_WORDS } from "./words.js";

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== "" && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Data as the text of a script element, without `<`, so that nothing in it ends the element. */
export const scriptText = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");

/** Saves a file. */
export function save(content, name, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const at = (id) => document.getElementById(id);
export let language = (navigator.language || "ja").startsWith("ja") ? "ja" : "en";
const WORDS = { ja: { ...REPORT_WORDS.ja }, en: { ...REPORT_WORDS.en } };
/** The texts in the chosen language. */
export let w = WORDS[language];

/** Adds the texts of a page to those of the report. */
export function addWords(words) {
  Object.assign(WORDS.ja, words.ja);
  Object.assign(WORDS.en, words.en);
}

/** Chooses the language; `translate` shows it. */
export function chooseLanguage(chosen) {
  language = chosen;
}

/** Shows the page's fixed texts in the chosen language. */
export function translate() {
  w = WORDS[language];
  document.documentElement.lang = language;
  at("language").textContent = w.other;
  document.querySelectorAll("[data-word]").forEach((element) => {
    element.textContent = w[element.dataset.word];
  });
  document
    .querySelectorAll("[data-label]")
    .forEach((element) => element.setAttribute("aria-label", w[element.dataset.label]));
  document.querySelectorAll("nav [data-go]").forEach((button) => {
    button.setAttribute("aria-label", w[button.dataset.go]);
    button.title = w[button.dataset.go];
  });
}
