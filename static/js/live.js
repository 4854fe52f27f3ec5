"use strict";
/* Live messages without losing any page: one stream per browser, held by the tab that owns a lock; the others listen
   to it over a channel. Where locks are missing each tab has its own stream, and behind everything is asking again.
   A message is a topic; it becomes the event "live-<topic>" on <body>, and the page re-reads the truth.
   "live-sync" says that anything may have changed. */
(() => {
  const { live, player } = document.body.dataset;
  if (!live || !("EventSource" in window)) return;

  const LOCK = `ladder-live-${player}`;
  const SILENT_MS = 40_000; // the server's heart beats every 15 s
  const ASK_LIVE_MS = 15_000;
  const ASK_ALONE_MS = 4_000;
  const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000];

  // Without locks nobody leads: a channel would only tell every tab twice what its own stream says.
  const channel = navigator.locks && "BroadcastChannel" in window ? new BroadcastChannel(LOCK) : null;
  const clubs = new Set(new URL(live, location.href).searchParams.getAll("club"));
  const mine = [...clubs];
  let source = null;
  let release = null; // lets go of the lock
  let tries = 0;
  let retry = 0;
  let heard = 0; // when the stream, ours or the leader's, last gave a sign of life
  let asked = Date.now();
  let ended = false;
  let leaderAt = Date.now(); // when the leader's tab was last known to be awake, with or without a stream

  const alive = () => Date.now() - heard < SILENT_MS;

  // A part that is being replaced hears nothing: neither while its answer is under way (it may be older than what was
  // told meanwhile) nor until htmx has wired the new one, about 20 ms later. Such topics are told again afterwards.
  const WIRED_MS = 60;
  const told = new Map(); // topic -> when last
  const sent = new WeakMap(); // request -> when
  document.addEventListener("htmx:beforeSend", ({ detail }) => { sent.set(detail.xhr, performance.now()); });
  for (const end of ["htmx:afterSwap", "htmx:afterRequest"]) {
    document.addEventListener(end, ({ detail }) => {
      const since = sent.get(detail.xhr);
      if (since === undefined) return;
      sent.delete(detail.xhr);
      window.setTimeout(() => {
        for (const [topic, at] of [...told]) if (at > since) fire(topic);
      }, WIRED_MS);
    });
  }

  function fire(topic) {
    if (topic === "sync") asked = Date.now();
    told.set(topic, performance.now());
    document.body.dispatchEvent(new CustomEvent(`live-${topic}`, { bubbles: true }));
  }

  function report(state) {
    document.documentElement.dataset.stream = state; // for people who look, and for tests
  }

  // --- the stream
  function open() {
    window.clearTimeout(retry);
    close();
    const url = new URL(live, location.href);
    url.search = "";
    for (const club of clubs) url.searchParams.append("club", club);
    source = new EventSource(url);
    source.addEventListener("sync", () => pass("sync"));
    source.addEventListener("beat", () => pass("beat"));
    source.addEventListener("topic", (event) => pass(JSON.parse(event.data).topic));
    source.onerror = () => {
      heard = 0;
      report("broken");
      if (source && source.readyState === EventSource.CLOSED) later();
    };
  }

  function later() {
    close();
    const pause = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    tries += 1;
    retry = window.setTimeout(open, pause * (0.75 + Math.random() / 2));
  }

  function close() {
    if (source) source.close();
    source = null;
  }

  function pass(topic) {
    tries = 0;
    take(topic);
    report("open");
    if (channel) channel.postMessage({ topic });
  }

  function take(topic) {
    heard = Date.now();
    if (topic !== "beat") fire(topic);
  }

  // --- who holds it
  async function lead(steal) {
    if (ended) return;
    if (!channel) { open(); return; }
    try {
      await navigator.locks.request(LOCK, steal ? { steal: true } : {}, () => new Promise((done) => {
        release = done;
        open();
      }));
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
    release = null; // let go, or taken by a tab that heard nothing from us
    close();
    if (!ended) { report("following"); lead(false); }
  }

  function stop() {
    ended = true;
    window.clearTimeout(retry);
    close();
    if (release) release();
  }

  if (channel) {
    channel.onmessage = ({ data }) => {
      leaderAt = Date.now();
      if (data.topic) { take(data.topic); report("following"); }
      if (data.want && source) {
        const missing = data.want.filter((club) => !clubs.has(club));
        for (const club of missing) clubs.add(club);
        if (missing.length) open(); else channel.postMessage({ topic: "beat" });
      }
    };
    if (mine.length) channel.postMessage({ want: mine });
  }

  // --- asking again: seldom while messages come, often while they do not
  window.setInterval(() => {
    const pause = alive() || document.hidden ? ASK_LIVE_MS : ASK_ALONE_MS;
    if (Date.now() - asked >= pause) fire("sync");
    if (alive()) return;
    if (document.documentElement.dataset.stream !== "broken") report("asking");
    if (release && channel) channel.postMessage({ awake: true });
    else if (!release && !document.hidden && Date.now() - leaderAt > SILENT_MS) {
      leaderAt = Date.now();
      lead(true); // the leader sleeps: take over
    }
  }, 1_000);

  document.addEventListener("visibilitychange", () => { if (!document.hidden) fire("sync"); });
  window.addEventListener("online", () => { if (source) open(); fire("sync"); });
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    ended = false;
    lead(false);
    fire("sync");
  });
  lead(false);
})();
