// Keeps the files of the app, so that it works offline. A new version has another cache.
const CACHE = "monomi-DIGEST";
const FILES = [
  "./",
  "index.html",
  "app.css",
  "app.js",
  "worker.js",
  "monomi.wasm",
  "manifest.webmanifest",
  "icon.svg",
  "icon-512.png",
];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (keys) => keys.filter((key) => key.startsWith("monomi-") && key !== CACHE);
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(old(keys).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.location.origin)) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || fetch(event.request)));
});
