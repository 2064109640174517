// What the pages cannot do without a script: sending JSON:API, telling instants in the reader's zone, and choosing between
// light and dark. It keeps nothing but that choice, and never sees a token.

const root = document.documentElement

const stored = localStorage.getItem('prismapi-theme')
if (stored) root.dataset.theme = stored
root.classList.add('scripted')

/** A text in the language of the page, which has it where that is not English. */
function said(text, ...gaps) {
  const { texts = '{}' } = document.body.dataset
  return (JSON.parse(texts)[text] ?? text).replace(/\{(\d)\}/g, (_, i) => gaps[i])
}

document.addEventListener('DOMContentLoaded', () => {
  showInstants(document)
  forgetMessage()
  for (const finder of document.querySelectorAll('[data-find]')) {
    finder.hidden = false
    finder.addEventListener('input', () => find(finder))
    finder.addEventListener('keydown', ({ key }) => key === 'Enter' && toFound(finder))
  }
  for (const copier of document.querySelectorAll('[data-copy]')) {
    copier.hidden = !navigator.clipboard
    copier.dataset.label = copier.textContent
    copier.addEventListener('click', () => copy(copier))
    copier.addEventListener('blur', relabel)
  }
  for (const toggle of document.querySelectorAll('[data-theme-toggle]')) {
    toggle.hidden = false
    toggle.addEventListener('click', changeTheme)
  }
  returnToPlace()
  showCounts()
})

/** How many resources each type has, in the rail: asked for once the page is there, and kept for a minute. */
async function showCounts() {
  const { base } = document.body.dataset
  if (base === undefined) return
  const kept = JSON.parse(sessionStorage.getItem('prismapi-counts') ?? '{}')
  const { seal = '' } = document.body.dataset
  let counts = kept.of === base + seal && Date.now() - kept.at < 60_000 ? kept.counts : null
  if (!counts) {
    const response = await fetch(`${base}/-browse/counts`).catch(() => null)
    if (!response?.ok) return
    counts = await response.json()
    sessionStorage.setItem('prismapi-counts', JSON.stringify({ of: base + seal, at: Date.now(), counts }))
  }
  for (const link of document.querySelectorAll('#rail li > a')) {
    const count = counts[link.pathname.slice(base.length + 1)]
    if (count === undefined || link.querySelector('small')) continue
    const told = document.createElement('small')
    told.textContent = count
    link.append(' ', told)
  }
}

// An open menu closes by a click beside it, and by Escape.

document.addEventListener('click', ({ target }) => closeMenus(target))
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  const menu = target.closest?.('details.menu')
  if (menu && relatedTarget && !menu.contains(relatedTarget)) menu.open = false
})
const closeMenus = (target) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
}

// Keys, where nothing is being written: `/` and Ctrl+K search.

const isWriting = ({ target }) => target.closest?.('input, select, textarea, [contenteditable]') !== null

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'Escape') return leaveMenu(event)
  if ((key === 'k' && (ctrlKey || metaKey)) || (key === '/' && !isWriting(event) && !ctrlKey && !metaKey && !altKey)) {
    const field = [...document.querySelectorAll('.everywhere input')].find((each) => each.checkVisibility())
    if (!field) return
    event.preventDefault()
    field.focus()
    field.select()
  }
})

/** The keys that the pages' help names: `e` edits, `n` makes a new one, the arrows go from row to row, `?` helps. */
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || altKey || isWriting(event) || event.defaultPrevented) return
  const links = [...document.querySelectorAll('.rows tbody th > a')].filter((each) => each.checkVisibility())
  const row = target.closest?.('.rows tbody tr')
  const at = links.indexOf(row?.querySelector('th > a'))
  const [next, previous] = [links[at + 1], at < 0 ? links.at(-1) : links[at - 1]]
  if (key === '?') document.getElementById('keys')?.togglePopover()
  else if (key === 'n') document.querySelector('.head .new')?.click()
  else if (key === 'e') edit(row)
  else if (key === 'x') row?.querySelector('th > [type="checkbox"]')?.click()
  else if (key === 'ArrowDown' && isAmongRows(target) && next) next.focus()
  else if (key === 'ArrowUp' && isAmongRows(target) && previous) previous.focus()
  else return
  event.preventDefault()
})

/** Elsewhere the arrows scroll. */
const isAmongRows = (target) => target === document.body || target.matches('main, .scroll, .rows *')

/** The record of the page, or that of the row at which the reader is. */
function edit(row) {
  const link = row?.querySelector('th > a')
  if (link) location.href = `${link.pathname}?-edit=true`
  else document.getElementById('edit')?.click()
}

function leaveMenu({ target }) {
  const menu = target.closest?.('details.menu[open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary').focus()
}

/** Instants in the reader's zone and words, in those of the page where it is not English; the exact text stays as the title. */
function showInstants(root) {
  const language = document.body.dataset.texts && document.documentElement.lang
  const format = new Intl.DateTimeFormat(language || undefined, { dateStyle: 'medium', timeStyle: 'short' })
  const zoned = new Intl.DateTimeFormat(language || undefined, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  })
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.dateTime
    time.textContent = ('zoned' in time.dataset ? zoned : format).format(new Date(time.dateTime))
  }
}

/** The message of a write is said once. */
function forgetMessage() {
  const query = new URLSearchParams(location.search)
  if (!query.has('-did')) return
  const rest = location.search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('-did='))
  history.replaceState(null, '', location.pathname + (rest.length > 0 ? `?${rest.join('&')}` : '') + location.hash)
}

// What is chosen with a pointer is sent at once; by the keyboard, each arrow would be a choice.
let isPointed = false
document.addEventListener('pointerdown', () => {
  isPointed = true
})
document.addEventListener('keydown', () => {
  isPointed = false
})
document.addEventListener('change', ({ target }) => {
  if (isPointed && target.tagName === 'SELECT' && target.form?.dataset.now !== undefined) target.form.requestSubmit()
  if (target.dataset.all) pickAll(target)
})

function pickAll({ checked, dataset }) {
  for (const box of document.querySelectorAll(`input[name="${dataset.all}"]`)) box.checked = checked
}

function find(finder) {
  const words = finder.value.toLowerCase().split(' ')
  for (const each of document.querySelectorAll(finder.dataset.find)) {
    const text = each.textContent.toLowerCase()
    each.hidden = !words.every((word) => text.includes(word))
  }
}

const toFound = ({ dataset }) => document.querySelector(`:is(${dataset.find}):not([hidden]) a`)?.focus()

function changeTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  localStorage.setItem('prismapi-theme', root.dataset.theme)
}

async function copy(copier) {
  relabel()
  const { copy: copied, refused } = copier.dataset
  try {
    await navigator.clipboard.writeText(copier.previousElementSibling.textContent)
    copier.textContent = copied
  } catch {
    copier.textContent = refused
  }
}

/** What was said of a copy is over with the next, and once the reader goes on. */
function relabel() {
  for (const copier of document.querySelectorAll('[data-copy]')) copier.textContent = copier.dataset.label
}

// Who is at the keyboard stays where they were when the same page comes again: sorted, narrowed or saved.

const placeName = 'prismapi-place'
const reached = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
const calledAs = ({ tagName, id, name, ariaLabel, textContent }) =>
  `${tagName} ${id || name || ariaLabel || textContent.trim()}`

addEventListener('pagehide', () => {
  const { activeElement } = document
  // Menus are closed on the next page.
  const at = activeElement?.closest('details.menu')?.querySelector('summary') ?? activeElement
  if (isPointed || !at || at === document.body) return
  const within = at.parentElement.closest('main [id]')?.id
  sessionStorage.setItem(placeName, JSON.stringify({ path: location.pathname, name: calledAs(at), within }))
})

/** To what is called the same, to the form or list that it was in, or to the content. */
function returnToPlace() {
  const { path, name, within } = JSON.parse(sessionStorage.getItem(placeName) ?? '{}')
  sessionStorage.removeItem(placeName)
  if (path !== location.pathname || location.hash !== '' || document.activeElement !== document.body) return
  const seen = [...document.querySelectorAll(reached)].filter((each) => each.checkVisibility())
  const around = document.getElementById(within)
  const near = seen.filter((each) => around?.contains(each))
  const same = (each) => calledAs(each) === name
  ;(
    near.find(same) ??
    near[0] ??
    seen.find(same) ??
    seen.find(({ dataset }) => dataset.opens === within) ??
    document.querySelector('main')
  ).focus()
}

// Fields that name resources search them by their label. What is found is read from the page of the search, as its caller sees it.

const waiting = 200
const mostFound = 8

document.addEventListener('input', ({ target }) => {
  if (!target.dataset.search) return
  clearTimeout(target.searching)
  target.searching = setTimeout(() => search(target), waiting)
})

/** Of ids with commas between them, the last is being written. */
const startOf = ({ dataset, value }) => ('many' in dataset ? value.replace(/\\[\\,]/g, '..').lastIndexOf(',') + 1 : 0)

async function search(field) {
  const text = field.value.slice(startOf(field)).trim()
  if (text === '') return show(field, [])
  const response = await fetch(field.dataset.search + encodeURIComponent(text), { headers: { Accept: 'text/html' } })
  const isLeft = document.activeElement !== field
  if (!response.ok || isLeft || field.value.slice(startOf(field)).trim() !== text) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const { held = '[]' } = field.dataset
  const taken = new Set([...JSON.parse(held), ...(field.chosen?.keys() ?? [])])
  const found = [...page.querySelectorAll('tbody th[scope="row"] a')]
    .map(({ href, textContent }) => ({
      id: decodeURIComponent(new URL(href, location).pathname.split('/').pop()),
      label: textContent,
    }))
    .filter(({ id }) => !taken.has(id))
  show(field, found.slice(0, mostFound))
  if (found.length > mostFound) field.listed.dataset.more = said('There are more: type on.')
  else delete field.listed.dataset.more
}

function show(field, found) {
  const list = field.listed ?? makeList(field)
  list.replaceChildren(
    ...found.map(({ id, label }, i) => {
      const option = document.createElement('li')
      option.role = 'option'
      option.id = `${list.id}-${i}`
      option.textContent = label
      option.dataset.id = id
      return option
    }),
  )
  list.hidden = found.length === 0
  field.setAttribute('aria-expanded', String(!list.hidden))
  mark(field, null)
}

function makeList(field) {
  const list = document.createElement('ul')
  list.role = 'listbox'
  list.id = `${field.id || field.name}-found`
  list.className = 'found'
  list.setAttribute('aria-label', said('Found'))
  field.removeAttribute('list')
  field.role = 'combobox'
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  field.after(list)
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    choose(field, event.target.closest('li'))
  })
  field.addEventListener('keydown', (event) => keyPressed(field, event))
  field.addEventListener('blur', () => {
    // What is pressed must not move before it is let go.
    if (isPointed) document.addEventListener('click', () => leave(field), { once: true })
    else leave(field)
  })
  field.listed = list
  return list
}

function leave(field) {
  if (document.activeElement !== field) show(field, [])
}

function mark(field, option) {
  for (const each of field.listed.children) each.setAttribute('aria-selected', String(each === option))
  if (option) field.setAttribute('aria-activedescendant', option.id)
  else field.removeAttribute('aria-activedescendant')
}

function keyPressed(field, event) {
  const options = [...field.listed.children]
  if (options.length === 0) return
  const at = options.findIndex((each) => each.getAttribute('aria-selected') === 'true')
  if (event.key === 'ArrowDown') mark(field, options[(at + 1) % options.length])
  else if (event.key === 'ArrowUp') mark(field, options.at(at < 1 ? -1 : at - 1))
  else if (event.key === 'Enter' && at >= 0) choose(field, options[at])
  else if (event.key === 'Escape') show(field, [])
  else return
  event.preventDefault()
}

const escaped = (id) => id.replace(/[\\,]/g, '\\$&')

/** The id is what is sent; what it is called stands beside it. In forms that write, the name alone is shown. */
function choose(field, option) {
  if (!option) return
  const { id } = option.dataset
  const start = field.value.slice(0, startOf(field))
  show(field, [])
  if (field.choose) return field.choose({ id, label: option.textContent, before: start })
  field.value = 'many' in field.dataset ? `${start === '' ? '' : `${start} `}${escaped(id)}, ` : id
  field.told ??= field.listed.insertAdjacentElement('afterend', document.createElement('output'))
  const before = 'many' in field.dataset && field.told.textContent !== '' ? `${field.told.textContent}, ` : ''
  field.told.textContent = `${before}${option.textContent}`
}
