"use strict";
/* What every page needs: presses are meant once, focus survives a swap, losing the network is said, changes are spoken. */
(() => {
  const SETTLE_MS = 650; // a second press within this time after a button changed was meant for the old one
  const RESEND_MS = 4000;
  const announcer = document.getElementById("announce");
  const offline = document.getElementById("offline");
  let changedAt = -Infinity;
  let step = stepOf(document);
  let heldFocus = false;

  function stepOf(root) {
    const button = root.querySelector("[data-step]");
    return button ? button.dataset.step : "";
  }

  function announce(text) {
    if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
  }
  window.ladderAnnounce = announce;

  // The one button keeps its place and changes its meaning: a press too soon after the change is dropped.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-step]") && performance.now() - changedAt < SETTLE_MS) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  // A plain form is sent once; the browser would otherwise send it again on a double click.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.hasAttribute("hx-post") || form.method === "get") return;
    if (Date.now() - Number(form.dataset.sent || 0) < RESEND_MS) event.preventDefault();
    else form.dataset.sent = String(Date.now());
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (xhr.status < 500 && /^\s*<!doctype/i.test(xhr.responseText)) {
      event.detail.shouldSwap = false; // signed out, moved on or refused: the whole page knows better
      if (event.detail.requestConfig.verb !== "get") sessionStorage.setItem("ladder-stale", "1");
      window.location.reload();
      return;
    }
    const notices = document.getElementById("notices"); // they belong to the step before this one
    if (notices && event.detail.requestConfig.verb === "post") notices.remove();
    heldFocus = Boolean(target && target.contains(document.activeElement));
  });

  document.addEventListener("htmx:afterSwap", () => {
    const now = stepOf(document);
    if (now !== step) changedAt = performance.now();
    step = now;
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    const root = event.detail.elt.isConnected ? event.detail.elt : document;
    if (heldFocus && document.activeElement === document.body) {
      const next = document.querySelector("[data-focus]");
      if (next) next.focus({ preventScroll: true });
    }
    heldFocus = false;
    const spoken = root.matches && root.matches("[data-announce]") ? root : document.querySelector("[data-announce]");
    if (spoken && !document.querySelector("[data-check]")) announce(spoken.dataset.announce); // the check speaks for itself
  });

  if (sessionStorage.getItem("ladder-stale")) { // the press that found the page out of date was not taken
    sessionStorage.removeItem("ladder-stale");
    document.getElementById("stale").hidden = false;
    document.addEventListener("click", () => { document.getElementById("stale").hidden = true; }, { once: true });
  }

  // One failed request may be chance; the second in a row is worth saying.
  let failures = 0;
  document.addEventListener("htmx:sendError", () => { failures += 1; if (failures > 1) offline.hidden = false; });
  document.addEventListener("htmx:afterOnLoad", back);
  window.addEventListener("offline", () => { offline.hidden = false; });
  window.addEventListener("online", back);
  function back() {
    failures = 0;
    if (!offline.hidden) offline.hidden = true;
  }

  // Times come in the club's zone (it stays in the title); people read them in their own, this year's without the year.
  function localTimes() {
    const { lang } = document.documentElement;
    for (const element of document.querySelectorAll("time[datetime][title]:not([data-local])")) {
      element.dataset.local = "";
      if (!element.textContent.includes(":")) continue; // a day is a day
      const moment = new Date(element.dateTime);
      const style = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
      if (moment.getFullYear() !== new Date().getFullYear()) style.year = "numeric";
      element.textContent = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, style).format(moment);
    }
  }
  localTimes();
  document.addEventListener("htmx:afterSwap", localTimes);

  // Buttons that only make sense with scripts (copy, print, allow notifications) are drawn hidden.
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      announce(button.dataset.done);
      button.textContent = button.dataset.done;
    });
  }
  const notify = document.querySelector("[data-notify]");
  if (notify && "Notification" in window && Notification.permission === "default") {
    notify.hidden = false;
    notify.addEventListener("click", async () => { await Notification.requestPermission(); notify.hidden = true; });
  }
})();
