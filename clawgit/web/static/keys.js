// Keys: j and k go along the list, a and r press what approves and rejects, / goes to the search field.
"use strict";
document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j" || event.key === "k") {
    const items = [...document.querySelectorAll("a[data-item]")];
    if (!items.length) return;
    const focused = items.indexOf(document.activeElement);
    const chosen = items.findIndex((one) => one.hasAttribute("aria-current"));
    const at = focused >= 0 ? focused : chosen;
    const next = items[Math.min(Math.max(at + (event.key === "j" ? 1 : -1), 0), items.length - 1)];
    next.focus();
    if (next.closest(".versions")) next.click();
    event.preventDefault();
  } else if (event.key === "a" || event.key === "r") {
    const one = document.querySelector(`button[data-key="${event.key}"], input[data-key="${event.key}"]`);
    if (!one) return;
    one.focus();
    if (one.tagName === "BUTTON") one.click();
    event.preventDefault();
  } else if (event.key === "/") {
    const one = document.querySelector('input[type="search"]');
    if (!one) return;
    one.focus();
    event.preventDefault();
  }
});
const slid = (event) => (event.target.matches?.('.slider input[type="range"]') ? event.target : null);
document.addEventListener("input", (event) => {
  const one = slid(event);
  if (one) document.querySelector(`label[for="${one.id}"]`).textContent = `Version ${one.value} of ${one.max}`;
});
document.addEventListener("change", (event) => slid(event)?.form.requestSubmit());
