// What all pages share: the language, texts, and elements.
import { REPORT_WORDS } from "./words.js";

/** @import { Child } from "./types.d.ts" */
/** @import { Words } from "./words.js" */

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** A button that removes something, which `word` says.
 *  @param {string} word
 *  @param {() => void} onclick
 */
export const removeButton = (word, onclick) =>
  make("button", { type: "button", class: "remove", "aria-label": word, title: word, onclick }, "✕");

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 * @returns {any}
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== "" && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Data as the text of a script element, without `<`, so that nothing in it ends the element.
 *  @param {unknown} data
 */
export const scriptText = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");

/** Saves a file.
 *  @param {BlobPart} content
 *  @param {string} name
 *  @param {string} type
 */
export function save(content, name, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * @param {string} id
 * @returns {any}
 */
export const at = (id) => document.getElementById(id);
/** @type {"ja" | "en"} */
export let language = (navigator.language || "ja").startsWith("ja") ? "ja" : "en";
/** @type {Record<"ja" | "en", any>} */
const WORDS = { ja: { ...REPORT_WORDS.ja }, en: { ...REPORT_WORDS.en } };
/** The texts in the chosen language.
 *  @type {Words} */
export let w = WORDS[language];

/** The text of a name, "" if there is none.
 *  @param {string | undefined} name
 *  @returns {string}
 */
export const word = (name) => /** @type {Record<string, any>} */ (w)[name ?? ""] ?? "";

/** Adds the texts of a page to those of the report.
 *  @param {{ ja: object, en: object }} words
 */
export function addWords(words) {
  Object.assign(WORDS.ja, words.ja);
  Object.assign(WORDS.en, words.en);
}

/** Chooses the language; `translate` shows it.
 *  @param {"ja" | "en"} chosen
 */
export function chooseLanguage(chosen) {
  language = chosen;
}

/** Shows the page's fixed texts in the chosen language. */
export function translate() {
  w = WORDS[language];
  document.documentElement.lang = language;
  /**
   * @param {string} selector
   * @param {(element: HTMLElement) => void} action
   */
  const each = (selector, action) =>
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector)).forEach(action);
  at("language").textContent = w.other;
  each("[data-word]", (element) => {
    element.textContent = word(element.dataset.word);
  });
  each("[data-label]", (element) => element.setAttribute("aria-label", word(element.dataset.label)));
  each("nav [data-go]", (button) => {
    button.setAttribute("aria-label", word(button.dataset.go));
    button.title = word(button.dataset.go);
  });
}
