// Every form works without this script. It keeps the focus, shows the run, takes a dropped file, and
// blanks the screen when the session is over.
'use strict';
const run = document.getElementById('run'), main = document.getElementById('main');
const said = document.getElementById('said');
const every = (what) => [...main.querySelectorAll(what)];
const to = (i) => { i?.focus(); i?.select?.(); }; // as Tab does
const changed = (i) => i.value !== i.defaultValue;
const on = (what, act) => document.addEventListener(what, act);
const waiting = () => main.querySelector('form[data-again]'); // for another run's end
let missed = 0, over = false, typed = false;

function blank(sentence) {
  over = true;
  main.textContent = sentence;
  document.body.replaceChildren(main);
}
const lockedNow = 'The page is locked or closed: open it again as you opened it before.';

// How a run goes on: each second while one does, else each 15 seconds, in the visible tab. After three misses
// never again: another program may get the port.
async function ask() {
  const waits = waiting();
  if (over || document.hidden && !waits) return;
  try {
    const answer = await fetch(typed ? '/state?typed' : '/state');
    if (!answer.ok) return blank(answer.status === 401 ? await answer.text() : lockedNow);
    missed = 0;
    typed = false;
    const text = await answer.text(), going = text.includes('data-going');
    if (text !== run.innerHTML && !(going && run.contains(document.activeElement))) run.innerHTML = text;
    if (!going && main.querySelector('[data-going]')) location.reload();
    if (location.pathname === '/morning' && every('.item').length < 1000) await look();
    if (waits) await again(waits);
  } catch {
    if (++missed >= 3) blank(lockedNow);
  }
}
const post = (to, form, button) => fetch(to, { method: 'POST', body: new URLSearchParams(new FormData(form, button)) });
const mainOf = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
// Plans what waits. The screen stays until there is a plan, or something else is to be said.
async function again(form) {
  const answer = await post(form.action + '?auto=1', form);
  if (answer.redirected) return location.replace(answer.url);
  const next = await mainOf(answer);
  if (next && !next.querySelector('form[data-again]')) put(next);
}
// What others answered meanwhile, unless somebody types here.
async function look() {
  const next = await mainOf(await fetch('/morning?auto=1' + location.search.replace('?', '&')));
  const at = document.activeElement;
  if (!next || every('input').some(changed) || at.closest('form')) return;
  main.dataset.at = next.dataset.at; // for print
  if (next.innerHTML === server) return;
  put(next);
  every('.item').find((i) => i.dataset.item === at.dataset.item)?.focus();
}
// Another screen in place of this one: the second click of a double click on this one does nothing on it.
let shown = performance.now(), server = main.innerHTML; // as the server sent it
function put(next) {
  server = next.innerHTML;
  main.dataset.at = next.dataset.at;
  main.replaceChildren(said, ...[...next.childNodes].filter((n) => n.id !== 'said'));
  shown = performance.now();
}
(async () => {
  while (!over) {
    const ms = document.querySelector('[data-going]') ? 1000 : waiting() ? 5000 : 15000;
    await new Promise((go) => setTimeout(go, ms));
    await ask();
  }
})();
on('visibilitychange', ask);
window.addEventListener('pageshow', (e) => { if (e.persisted) location.reload(); });

// A fix, or an answer: the screen comes again, with what was typed elsewhere, at the next fault.
let asked; // the form that said is about
async function send(form, button) {
  const from = said.contains(form) ? asked : form;
  const inputs = every('[data-key]');
  const half = inputs.filter((i) => changed(i) && !from.contains(i)).map((i) => [i.dataset.key, i.value]);
  const after = inputs.slice(inputs.findIndex((i) => from.contains(i)) + 1).map((i) => i.dataset.key);
  const slow = setTimeout(() => { said.textContent = 'One moment: it is not saved yet.'; }, 1500);
  const answer = await post(form.action, form, button).finally(() => clearTimeout(slow));
  if (answer.status === 401) return blank(await answer.text());
  const next = await mainOf(answer);
  if (!next) return;
  if (!answer.ok || !answer.redirected) {
    said.replaceChildren(...next.childNodes);
    asked = from;
    shown = performance.now();
    if (answer.ok) said.focus();
    return;
  }
  said.replaceChildren();
  const item = every('.item').indexOf(from.closest('.item'));
  put(next);
  const byKey = new Map(every('[data-key]').map((i) => [i.dataset.key, i]));
  for (const [key, value] of half) if (byKey.has(key)) byKey.get(key).value = value;
  const items = every('.item');
  to(items[Math.min(item, items.length - 1)] ?? byKey.get(after.find((k) => byKey.has(k))) ?? main.querySelector('a.button'));
}
// A form is sent once, also by a double click; what is typed keeps the session open.
const sent = new Set();
on('submit', (e) => {
  const form = e.target, part = 'part' in form.dataset || said.contains(form);
  if (part || sent.has(form)) e.preventDefault();
  if (sent.has(form)) return;
  sent.add(form);
  if (part) send(form, e.submitter).catch(() => { said.textContent = 'The page does not answer: nothing was saved.'; }).finally(() => sent.delete(form));
});
on('input', () => { typed = true; said.replaceChildren(); });
// The browser asks before it leaves what was typed and not saved.
window.addEventListener('beforeunload', (e) => {
  if (over || !every('[data-key]').some((i) => changed(i) && !sent.has(i.form))) return;
  e.preventDefault();
  sent.clear(); // whoever stays may click again
});

// Only a button books or answers, and nothing that was meant for the screen before.
const early = () => performance.now() - shown < 500;
on('click', (e) => {
  if (e.detail > 0 && early() && e.target.matches('[data-click] button, [data-part] button')) e.preventDefault();
});
on('keypress', (e) => {
  if (e.key !== 'Enter' || !(e.target instanceof HTMLInputElement) || !e.target.form?.enter) return;
  e.preventDefault();
  said.textContent = 'Choose a button.';
});

on('keydown', (e) => {
  const at = document.activeElement, typing = ['text', 'textarea'].includes(at.type);
  if (e.key === 'F8') {
    const all = every('.fault'), n = all.indexOf(at) + (e.shiftKey ? -1 : 1);
    to(all.at(n % all.length));
    e.preventDefault();
  } else if (typing && e.key === 'Escape') {
    at.value = at.defaultValue;
  } else if (typing && e.key === 'Enter' && e.ctrlKey) {
    const form = at.closest('[action$="/fix"]');
    (form?.querySelector('button[name=alike]') ?? form?.querySelector('button'))?.click();
    e.preventDefault();
  } else if (typing || e.repeat || e.ctrlKey || e.altKey || e.metaKey) {
    return;
  } else if ('jk'.includes(e.key) || at.closest('.item') && /^Arrow(Down|Up)$/.test(e.key)) {
    const all = every('.item'), n = all.indexOf(at.closest('.item'));
    all[Math.max(0, n + (/j|Down/.test(e.key) ? 1 : -1))]?.focus();
    e.preventDefault();
  } else if (e.key === 'Backspace' && !early()) {
    main.querySelector('form[action$="/back"]')?.requestSubmit();
  } else if (e.key === 'z') {
    main.querySelector('.back .item')?.focus();
  } else if (/^[1-9]$/.test(e.key) && !early()) {
    (main.querySelector('.question') ?? at.closest('.item'))?.querySelectorAll('[data-digit]')[e.key - 1]?.click();
  }
});

// A schedule, chosen or dropped, with the time it was saved at.
const drop = document.querySelector('.drop');
drop?.addEventListener('submit', () => { drop.modified.value = drop.file.files[0]?.lastModified ?? ''; });
// No browser opens what is dropped elsewhere.
const dropped = (e) => {
  if (!e.dataTransfer.types.includes('Files')) return;
  e.preventDefault();
  if (e.type === 'dragover') return;
  if (!drop) said.textContent = 'Drop it under Schedules.';
  else if (e.dataTransfer.files.length !== 1) said.textContent = 'Drop one schedule at a time.';
  else {
    drop.file.files = e.dataTransfer.files;
    drop.requestSubmit();
  }
};
on('dragover', dropped);
on('drop', dropped);
