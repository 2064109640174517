// What the pages cannot do without a script: sending JSON:API, and choosing between light and dark. It keeps nothing but
// that choice, and never sees a token.

const mediaType = 'application/vnd.api+json'
const root = document.documentElement

const stored = localStorage.getItem('prismapi-theme')
if (stored) root.dataset.theme = stored

document.addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll('form[data-send] button')) button.disabled = false
  for (const toggle of document.querySelectorAll('[data-theme-toggle]')) {
    toggle.hidden = false
    toggle.addEventListener('click', changeTheme)
  }
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.dataset.send) return
  event.preventDefault()
  send(form)
})

function changeTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  localStorage.setItem('prismapi-theme', root.dataset.theme)
}

async function send(form) {
  clearErrors(form)
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const response = await fetch(form.getAttribute('action'), requestOf(form))
    const answer = response.status === 204 ? null : await response.json()
    if (response.ok) location.assign(nextOf(form, response, answer))
    else showErrors(form, errorsOf(response, answer))
  } catch (error) {
    showErrors(form, [{ title: error.message, pointer: error.pointer }])
  } finally {
    button.disabled = false
  }
}

function errorsOf({ status }, answer) {
  // Who reads a page knows nothing of versions.
  if (status === 412)
    return [{ title: 'It was changed since this page was made. Reload the page to see it as it is now.' }]
  return answer?.errors ?? [{ title: `Error ${status}` }]
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
  if (isUpdate && field.value === initialOf(field)) return undefined
  if (kind === 'many') return manyOf(field)
  if (field.value === '') return emptyOf(field, isUpdate)
  if (kind === 'one') return { type: typeOf(field), id: field.value.trim() }
  if (kind === 'number') return Number.isNaN(Number(field.value)) ? field.value : Number(field.value)
  if (kind === 'boolean') return field.value === 'true'
  if (kind === 'datetime') return `${field.value.length === 16 ? `${field.value}:00` : field.value}Z`
  if (kind === 'json') return jsonOf(field)
  return field.value
}

function initialOf(field) {
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
  if (isUpdate) return isNullable ? null : ''
  if (field.dataset.pointer === '/data') return isNullable ? null : undefined
  return field.required && field.dataset.kind === 'string' ? '' : undefined
}

function manyOf(field) {
  const ids = field.value.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
  if (ids.length === 0 && field.dataset.pointer !== '/data') return undefined
  return ids.map((id) => ({ type: typeOf(field), id }))
}

const typeOf = ({ dataset }) => dataset.type ?? document.getElementById(dataset.typeFrom).value

function jsonOf(field) {
  try {
    return JSON.parse(field.value)
  } catch {
    throw Object.assign(new Error('This is no JSON.'), { pointer: field.dataset.pointer })
  }
}

function nextOf(form, response, answer) {
  if (form.dataset.next) return form.dataset.next
  const id = response.status === 201 ? answer?.data?.id : undefined
  // Without the fragment: to go to one of the same page loads nothing.
  return id === undefined
    ? location.pathname + location.search
    : `${form.getAttribute('action')}/${encodeURIComponent(id)}`
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
    const field = fieldAt(form, error.pointer ?? error.source?.pointer)
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

function fieldAt(form, pointer) {
  if (!pointer) return null
  const isAbout = (own) => `${pointer}/`.startsWith(`${own}/`) || `${own}/`.startsWith(`${pointer}/`)
  return [...form.elements].find((field) => field.dataset.pointer && isAbout(field.dataset.pointer)) ?? null
}

function add(place, text) {
  place.textContent = place.textContent === '' ? text : `${place.textContent} ${text}`
  place.hidden = false
}
