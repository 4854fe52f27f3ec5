"use strict";
/* Clocks that run between two answers of the server, and the one urgent thing: the ready check.
   data-up="42" counts up from 42 s, data-down="14" counts down; both from the moment they were drawn, by the wall
   clock, so that a sleeping phone wakes to the true time. The server corrects them with every answer ("clock"). */
(() => {
  const origin = new WeakMap(); // element -> the moment (ms) of its zero
  const SPOKEN = [10, 5];
  const title = document.title;
  let check = "";
  let flashing = false;
  let asked = 0;
  let sound = null;

  function adopt() {
    for (const element of document.querySelectorAll("[data-up], [data-down]")) {
      if (origin.has(element)) continue;
      const seconds = Number(element.dataset.up || 0) * -1 + Number(element.dataset.down || 0);
      origin.set(element, Date.now() + seconds * 1000);
    }
  }

  function text(seconds, plain) {
    if (plain) return String(seconds);
    const rest = String(seconds % 60).padStart(2, "0");
    return `${Math.floor(seconds / 60)}:${rest}`;
  }

  function tick() {
    adopt();
    for (const element of document.querySelectorAll("[data-up]")) {
      write(element, text(Math.max(0, Math.floor((Date.now() - origin.get(element)) / 1000)), false));
    }
    for (const element of document.querySelectorAll("[data-down]")) {
      const left = Math.max(0, Math.ceil((origin.get(element) - Date.now()) / 1000));
      write(element, text(left, "plain" in element.dataset));
      if (left === 0) askOnce();
    }
    urgent();
  }

  // A clock that ran out means that something has happened; the server knows what.
  function askOnce() {
    if (Date.now() - asked < 1000) return;
    asked = Date.now();
    document.body.dispatchEvent(new CustomEvent("live-sync", { bubbles: true }));
  }

  function write(element, value) {
    if (element.textContent !== value) element.textContent = value;
  }

  // --- the ready check
  function urgent() {
    const card = document.querySelector("[data-check]");
    if (!card) { calm(); return; }
    const clock = card.querySelector("[data-down]");
    const left = clock ? Math.max(0, (origin.get(clock) - Date.now()) / 1000) : 0;
    const ring = card.querySelector(".ring .left");
    if (ring) ring.setAttribute("stroke-dasharray", `${Math.max(0.01, (100 * left) / Number(card.dataset.total))} 100`);
    const whole = Math.ceil(left);
    if (card.dataset.check !== check) begin(card, whole);
    if (card.dataset.answer !== "pending") { quiet(); return; }
    flash(card, whole);
    if (SPOKEN.includes(whole) && card.dataset.spoken !== String(whole)) {
      card.dataset.spoken = String(whole);
      window.ladderAnnounce(card.dataset.say.replace("%s", whole));
    }
  }

  function begin(card, left) {
    check = card.dataset.check;
    if (card.dataset.answer !== "pending") return;
    window.ladderAnnounce(`${card.dataset.title}. ${card.dataset.say.replace("%s", left)}`);
    if (document.body.dataset.alerts === "on") ring(card);
  }

  // One tab of the browser makes the noise: the one that is looked at, else whichever comes first.
  function ring(card) {
    const id = card.dataset.check;
    window.setTimeout(() => {
      try {
        if (localStorage.getItem("ladder-rang") === id) return;
        localStorage.setItem("ladder-rang", id);
      } catch { /* no storage in this browser: better two tabs ringing than none */ }
      beep();
      if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate([200, 100, 200, 100, 400]);
      if (document.hidden) notify(card);
    }, document.hidden ? 400 : 0);
  }

  function notify(card) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    try {
      const note = new Notification(card.dataset.title, { body: card.dataset.say.replace("%s", card.dataset.total), tag: check });
      note.onclick = () => { window.focus(); note.close(); };
    } catch { /* phones allow it to service workers alone */ }
  }

  function beep() {
    if (!sound || sound.state !== "running") return;
    for (const [at, pitch] of [[0, 660], [0.18, 880], [0.5, 660], [0.68, 880]]) {
      const tone = sound.createOscillator();
      const volume = sound.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, sound.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.25, sound.currentTime + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, sound.currentTime + at + 0.16);
      tone.connect(volume).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + 0.18);
    }
  }

  // Browsers let a page sound only after a press on it; the press on Join is enough.
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, () => {
      if (!sound && "AudioContext" in window && document.body.dataset.alerts === "on") sound = new AudioContext();
      if (sound && sound.state === "suspended") sound.resume();
    }, { passive: true });
  }

  function flash(card, left) {
    flashing = true;
    const odd = Math.floor(Date.now() / 1000) % 2 === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const next = odd ? title : `(${left}) ${card.dataset.title}`;
    if (document.title !== next) document.title = next;
  }

  function quiet() {
    if (flashing) document.title = title;
    flashing = false;
  }

  function calm() {
    quiet();
    check = "";
  }

  // The answer "nothing new" still carries the server's clock.
  document.addEventListener("clock", (event) => {
    for (const kind of ["up", "down"]) {
      if (typeof event.detail[kind] !== "number") continue;
      const sign = kind === "up" ? -1 : 1;
      const element = event.target.querySelector(`[data-${kind}]`);
      if (element) origin.set(element, Date.now() + sign * event.detail[kind] * 1000);
      for (const twin of event.target.querySelectorAll(`[data-${kind}]`)) origin.set(twin, origin.get(element));
    }
  });

  document.addEventListener("htmx:afterSwap", tick);
  window.setInterval(tick, 250);
  tick();
})();
