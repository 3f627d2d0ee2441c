// What is said to those who do not look: a log that screen readers speak, and the browser's voices if the user wants
// them.
import { RANKS } from "../../kifu/analysis/src/output/report/board.js";
import { at, language, make, w } from "../../kifu/analysis/src/output/report/page.js";
import { keep, kept } from "./kept.js";

const REMEMBERED = 12; // messages that stay in the log, to be read again
const DIGITS = "１２３４５６７８９";
const NUMBERS = ["いち", "に", "さん", "よん", "ご", "ろく", "なな", "はち", "きゅう"];
const READINGS = {
  歩: "ふ",
  香: "きょう",
  桂: "けい",
  銀: "ぎん",
  金: "きん",
  角: "かく",
  飛: "ひ",
  玉: "ぎょく",
  王: "おう",
  と: "と",
  龍: "りゅう",
  馬: "うま",
  不成: "ならず",
  成: "なり",
  打: "うつ",
  右: "みぎ",
  左: "ひだり",
  直: "すぐ",
  上: "あがる",
  引: "ひく",
  寄: "よる",
};
const MOVE_IN_WORDS = /(?:同\s*|([１-９1-9])([一二三四五六七八九]))((?:不成|[成歩香桂銀金角飛玉王と龍馬打右左直上引寄])+)/g;
const voices = () => globalThis.speechSynthesis ?? null; // not every browser has it

/** The signs of the sides as players write them in Japanese, and in words in English. */
export const aloud = (text) =>
  language === "ja"
    ? text.replaceAll("▲", "☗").replaceAll("△", "☖")
    : text.replaceAll(/[▲☗]/g, `${w.names[0]} `).replaceAll(/[△☖]/g, `${w.names[1]} `);

/** A text for a voice, which would read the signs and the kanji of moves in other ways than players do. */
export function readings(text) {
  if (language !== "ja") return text;
  const number = (digit) => NUMBERS[DIGITS.indexOf(digit) < 0 ? Number(digit) - 1 : DIGITS.indexOf(digit)];
  const words = (rest) => rest.replaceAll(/不成|./g, (part) => READINGS[part] ?? part);
  return text
    .replaceAll("☗", `${w.names[0]} `)
    .replaceAll("☖", `${w.names[1]} `)
    .replaceAll(MOVE_IN_WORDS, (_, file, rank, rest) =>
      file ? `${number(file)} ${NUMBERS[RANKS.indexOf(rank)]} ${words(rest)}` : `どう ${words(rest)}`,
    );
}

/** The voices of the language of the page. */
const voicesHere = () =>
  (voices()?.getVoices() ?? []).filter(({ lang }) => lang.replace("_", "-").toLowerCase().startsWith(language));

function speakAloud(text) {
  if (!kept.speech || !voices() || typeof SpeechSynthesisUtterance === "undefined") return;
  const said = new SpeechSynthesisUtterance(readings(text));
  said.lang = language === "ja" ? "ja-JP" : "en-GB";
  const voice = voicesHere().find(({ name }) => name === kept.voices[language]) ?? voicesHere()[0];
  if (voice) Object.assign(said, { voice, lang: voice.lang });
  voices().speak(said);
}

/** Tells those who listen. `now`: they have asked for it, so what was being said before ends. */
export function announce(text, now = false) {
  if (!text) return;
  const spoken = aloud(text);
  const log = at("announcer");
  log.append(make("p", {}, spoken));
  while (log.children.length > REMEMBERED) log.firstElementChild.remove();
  if (now && kept.speech) voices()?.cancel();
  speakAloud(spoken);
}

/** Empties the log: it is in another language now. */
export const forgetSpoken = () => at("announcer").replaceChildren();

/** The setting, where the browser has voices. */
export function drawSpeech() {
  at("speech-field").hidden = !voices();
  at("voice-field").hidden = !voices() || !kept.speech || !voicesHere().length;
  at("speech").checked = kept.speech;
  at("voice").replaceChildren(...voicesHere().map(({ name }) => make("option", { value: name }, name)));
  const chosen = kept.voices[language];
  if (voicesHere().some(({ name }) => name === chosen)) at("voice").value = chosen;
}

export function startSpeech() {
  at("speech").addEventListener("change", () => {
    kept.speech = at("speech").checked;
    if (!kept.speech) voices()?.cancel();
    drawSpeech();
    keep();
    if (kept.speech) speakAloud(w.speechOn);
  });
  at("voice").addEventListener("change", () => {
    kept.voices[language] = at("voice").value;
    keep();
    speakAloud(w.speechOn);
  });
  // They come after the page in some browsers.
  voices()?.addEventListener?.("voiceschanged", drawSpeech);
}
