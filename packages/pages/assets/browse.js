// What the pages cannot do without a script: sending JSON:API, telling instants in the reader's zone, and choosing between
// light and dark. It keeps nothing but that choice, and never sees a token.

const mediaType = 'application/vnd.api+json'
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
  for (const finder of document.querySelectorAll('[data-find]')) {
    finder.hidden = false
    finder.addEventListener('input', () => find(finder))
    finder.addEventListener('keydown', ({ key }) => key === 'Enter' && toFound(finder))
  }
  for (const form of document.querySelectorAll('#create > form')) restore(form)
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
})

/** Instants in the reader's zone and words, in those of the page where it is not English; the exact text stays as the title. */
function showInstants(root) {
  const language = document.body.dataset.texts && document.documentElement.lang
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.dateTime
    time.textContent = format.format(new Date(time.dateTime))
  }
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

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.dataset.send) return
  event.preventDefault()
  send(form)
})

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

async function send(form) {
  if (form.ariaBusy === 'true') return
  clearErrors(form)
  // A button that is disabled would lose the focus.
  form.ariaBusy = 'true'
  try {
    const response = await fetch(form.dataset.to, requestOf(form)).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (response?.ok) {
      form.dataset.sent = ''
      location.assign(nextOf(form, response, answer))
    } else {
      showErrors(form, errorsOf(response, answer))
      if (response?.status === 412 && form.dataset.send === 'PATCH') await compare(form)
    }
  } catch (error) {
    showErrors(form, [{ title: error.message, pointer: error.pointer }])
  } finally {
    form.ariaBusy = 'false'
  }
}

function errorsOf(response, answer) {
  if (!response) return [{ title: said('The server cannot be reached.') }]
  const { status } = response
  // Who reads a page knows nothing of versions.
  if (status === 412) return [{ title: said('It was changed since this page was made. Nothing is saved yet.') }]
  return answer?.errors ?? [{ title: said('Error {0}', status) }]
}

function requestOf(form) {
  const { send: method, ifMatch } = form.dataset
  const { seal } = document.body.dataset
  const body = documentOf(form)
  return {
    method,
    headers: {
      Accept: mediaType,
      ...(body && { 'Content-Type': mediaType }),
      ...(seal && { 'Browse-Seal': seal }),
      ...(ifMatch && { 'If-Match': ifMatch }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

function documentOf(form) {
  if (!form.dataset.document) return null
  const sent = JSON.parse(form.dataset.document)
  for (const field of form.elements) {
    if (!field.dataset.pointer) continue
    const value = sentOf(field, form)
    if (value !== undefined) put(sent, field.dataset.pointer, value)
  }
  return sent
}

function put(target, pointer, value) {
  const names = pointer.slice(1).split('/')
  const last = names.pop()
  let at = target
  for (const name of names) {
    at[name] ??= {}
    at = at[name]
  }
  at[last] = value
}

/** Undefined for what is not sent: what is empty and may be left out, and what an update does not change. */
function sentOf(field, form) {
  const { kind } = field.dataset
  const isUpdate = form.dataset.send === 'PATCH' && field.dataset.pointer.startsWith('/data/attributes/')
  if (isUpdate && !isChanged(field)) return undefined
  if (field.type === 'checkbox') return field.checked
  if (kind === 'many') return manyOf(field)
  if (field.value === '') return emptyOf(field, isUpdate)
  if (kind === 'one') return { type: typeOf(field), id: field.value.trim() }
  if (kind === 'number') return numberOf(field.value)
  if (kind === 'boolean') return field.value === 'true'
  if (kind === 'datetime') return instantOf(field.value)
  if (kind === 'json') return jsonOf(field)
  return field.value
}

/** What is no number of JSON stays text, which the rules refuse. */
const numberOf = (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** What a control has for an instant, which is UTC, as JSON:API has it. */
const instantOf = (text) => `${text.length === 16 ? `${text}:00` : text}Z`

const isChanged = (field) => field.dataset.touched !== undefined || currentOf(field) !== initialOf(field)

const currentOf = (field) => (field.type === 'checkbox' ? String(field.checked) : field.value)

function initialOf(field) {
  if (field.type === 'checkbox') return String(field.defaultChecked)
  if (field.tagName !== 'SELECT') {
    // Browsers write dates, and the ends of lines, in a way of their own.
    const untouched = field.cloneNode(true)
    untouched.value = field.defaultValue
    return untouched.value
  }
  return [...field.options].find((option) => option.defaultSelected)?.value ?? ''
}

function emptyOf(field, isUpdate) {
  const isNullable = field.dataset.nullable !== undefined
  // No text is no JSON.
  if (isUpdate) return isNullable || field.dataset.kind === 'json' ? null : ''
  if (field.dataset.pointer === '/data') return isNullable ? null : undefined
  return field.required && field.dataset.kind === 'string' ? '' : undefined
}

function manyOf(field) {
  const ids = idsIn(field.value)
  if (ids.length === 0 && field.dataset.pointer !== '/data') return undefined
  return ids.map((id) => ({ type: typeOf(field), id }))
}

/** Between ids are commas; a comma of an id has a backslash before it, and so has a backslash. */
const idsIn = (text) =>
  [...text.matchAll(/(?:\\[\\,]|[^,])+/g)].flatMap(([each]) => each.trim().replace(/\\([\\,])/g, '$1') || [])
const escaped = (id) => id.replace(/[\\,]/g, '\\$&')

const typeOf = ({ dataset }) => dataset.type ?? document.getElementById(dataset.typeFrom).value

function jsonOf(field) {
  try {
    return JSON.parse(field.value, finite)
  } catch {
    throw Object.assign(new Error(said('This is not JSON.')), { pointer: field.dataset.pointer })
  }
}

/** JSON has no number that is infinite, and would write it as null. */
function finite(_, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError()
  return value
}

// A form says that it was changed, and leaving it asks first.

const fieldsOf = (form) => [...form.elements].filter((field) => field.dataset.pointer)
const isUnsaved = (form) => form.dataset.sent === undefined && fieldsOf(form).some(isChanged)

document.addEventListener('input', ({ target }) => {
  const unsaved = target.form?.querySelector('.unsaved')
  if (unsaved) unsaved.hidden = !isUnsaved(target.form)
})
addEventListener('beforeunload', (event) => {
  if ([...document.querySelectorAll('form[data-send]')].some(isUnsaved)) event.preventDefault()
})

// Who is at the keyboard stays where they were when the same page comes again: sorted, narrowed or saved.

const placeName = 'prismapi-place'
const reached = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
const calledAs = ({ tagName, id, name, ariaLabel, textContent }) =>
  `${tagName} ${id || name || ariaLabel || textContent.trim()}`

addEventListener('pagehide', () => {
  const { activeElement: at } = document
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
  ;(near.find(same) ?? near[0] ?? seen.find(same) ?? document.querySelector('main')).focus()
}

// What is written in a form stays in this tab while its reader makes what a field of it could name. Secrets do not.

const draftName = 'prismapi-draft'
const keptOf = (form) =>
  [...form.elements].filter(
    ({ name, type, dataset }) => name && dataset.secret === undefined && !['hidden', 'checkbox'].includes(type),
  )

document.addEventListener('click', ({ target }) => {
  const form = target.closest('.field a.new')?.closest('form[data-send]')
  if (!form) return
  const values = keptOf(form).map(({ name, value }) => [name, value])
  sessionStorage.setItem(draftName, JSON.stringify({ of: form.getAttribute('action'), values }))
  form.dataset.sent = ''
})

/** Writes it again once the reader is back, but in the field that names what was made. */
function restore(form) {
  const { of, values = [] } = JSON.parse(sessionStorage.getItem(draftName) ?? '{}')
  if (of !== form.getAttribute('action')) return
  sessionStorage.removeItem(draftName)
  const back = form.querySelector('[data-back]')
  for (const [name, value] of values) {
    const field = form.elements[name]
    const isItsType = back && back.value !== '' && name === `type:${back.dataset.pointer}`
    if (!field || value === '' || isItsType) continue
    if (field !== back || field.value === '') field.value = value
    else if (field.dataset.kind === 'many') field.value = `${value.replace(/[,\s]*$/, '')}, ${field.value}`
  }
  ;(back ?? form.elements[0]).focus()
}

// Of what was changed by somebody else meanwhile: what it was, what it is, and what the form would make of it.

async function compare(form) {
  const template = document.getElementById('conflict')
  if (!template) return
  const { seal } = document.body.dataset
  const headers = { Accept: mediaType, ...(seal && { 'Browse-Seal': seal }) }
  const response = await fetch(form.dataset.to, { headers }).catch(() => null)
  if (!response?.ok) return
  const stored = await response.json()
  const rows = fieldsOf(form)
    .filter(({ dataset }) => dataset.pointer.startsWith('/data/attributes/') && dataset.secret === undefined)
    .map((field) => {
      const began = valueText(field, initialOf(field))
      return { field, began, now: storedText(field, stored), yours: valueText(field, currentOf(field)) }
    })
    .filter(({ began, now, yours }) => began !== now || began !== yours)
  form.querySelector('.conflict')?.remove()
  const shown = template.content.cloneNode(true).firstElementChild
  const titles = [...shown.querySelectorAll('thead th')].slice(1).map((title) => title.textContent)
  shown.querySelector('tbody').replaceChildren(...rows.map((row) => comparedRow(row, titles)))
  const [keep, drop] = shown.querySelectorAll('button')
  keep.addEventListener('click', () => {
    form.dataset.ifMatch = response.headers.get('ETag')
    form.querySelector('button').focus()
    shown.remove()
    form.requestSubmit()
  })
  drop.addEventListener('click', () => {
    form.dataset.sent = ''
    location.reload()
  })
  form.querySelector('[role="alert"]').textContent = said(
    'It was changed since this page was made. Nothing is saved yet.',
  )
  form.append(shown)
  shown.focus()
}

function comparedRow({ field, began, now, yours }, titles) {
  const row = document.createElement('tr')
  const head = document.createElement('th')
  head.scope = 'row'
  head.textContent = field.labels[0].firstChild.textContent
  const texts = [began, now, yours].map((text, i) => {
    const cell = document.createElement('td')
    cell.dataset.label = titles[i]
    cell.textContent = text === '' ? '–' : text
    if (text !== began) cell.className = 'other'
    return cell
  })
  row.append(head, ...texts)
  return row
}

function valueText({ dataset: { kind } }, text) {
  if (kind === 'boolean') return truthText(text)
  return kind === 'datetime' && text !== '' ? new Date(instantOf(text)).toISOString() : text
}

const truthText = (text) => (text === 'true' ? said('yes') : text === 'false' ? said('no') : text)

function storedText(field, document) {
  const { kind, pointer } = field.dataset
  let value = document
  for (const name of pointer.slice(1).split('/')) value = value?.[name]
  if (value === undefined || value === null) return ''
  if (kind === 'boolean') return truthText(String(value))
  const text = typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
  // As the control would have it, which writes the ends of lines in a way of its own.
  return kind === 'datetime' ? new Date(text).toISOString() : text.replaceAll('\r\n', '\n')
}

function nextOf(form, response, answer) {
  const { next, made, to } = form.dataset
  const created = response.status === 201 ? answer?.data : undefined
  if (next && made !== undefined && created)
    return `${next}${next.includes('?') ? '&' : '?'}-made=${encodeURIComponent(`${created.type}/${created.id}`)}`
  if (next) return next
  const id = created?.id
  // Without the fragment: to go to one of the same page loads nothing.
  return id === undefined ? location.pathname + location.search : `${to}/${encodeURIComponent(id)}`
}

function clearErrors(form) {
  for (const shown of form.querySelectorAll('.error')) {
    shown.hidden = true
    shown.textContent = ''
  }
  for (const field of form.elements) field.removeAttribute('aria-invalid')
}

/** Each at the field that its pointer is about; the others above the form. */
function showErrors(form, errors) {
  const others = []
  let first = null
  for (const error of errors) {
    const text = error.detail ?? error.title
    const field = fieldOf(form, error)
    if (!field) {
      others.push(text)
      continue
    }
    first ??= field
    field.setAttribute('aria-invalid', 'true')
    add(document.getElementById(`${field.id}-error`), text)
  }
  const alert = form.querySelector('[role="alert"]')
  for (const text of others) add(alert, text)
  ;(first ?? form.querySelector('button')).focus()
}

function fieldOf(form, { pointer, source, meta }) {
  const about = pointer ?? source?.pointer
  if (about === undefined) return null
  // What is missing has no pointer of its own, and a name in its place.
  const missing = typeof meta?.field === 'string' ? meta.field.split('.', 1)[0] : null
  return (
    fieldsOf(form).find(({ dataset }) =>
      missing === null
        ? `${about}/`.startsWith(`${dataset.pointer}/`) || `${about}/data` === dataset.pointer
        : dataset.pointer.replace(/\/data$/, '').endsWith(`/${missing}`),
    ) ?? null
  )
}

function add(place, text) {
  place.textContent = place.textContent === '' ? text : `${place.textContent} ${text}`
  place.hidden = false
}

// Fields that name resources search them by their label. What is found is read from the page of the search, as its caller sees it.

const waiting = 200

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
  const links = [...page.querySelectorAll('tbody th[scope="row"] a')].slice(0, 8)
  show(
    field,
    links.map((link) => ({
      id: decodeURIComponent(new URL(link.href, location).pathname.split('/').pop()),
      label: link.textContent,
    })),
  )
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
  field.addEventListener('blur', () => show(field, []))
  field.listed = list
  return list
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

/** The id is what is sent; what it is called stands beside it. */
function choose(field, option) {
  if (!option) return
  const { id } = option.dataset
  const start = field.value.slice(0, startOf(field))
  field.value = 'many' in field.dataset ? `${start === '' ? '' : `${start} `}${escaped(id)}, ` : id
  field.told ??= field.listed.insertAdjacentElement('afterend', document.createElement('output'))
  const before = 'many' in field.dataset && field.told.textContent !== '' ? `${field.told.textContent}, ` : ''
  field.told.textContent = `${before}${option.textContent}`
  show(field, [])
}
