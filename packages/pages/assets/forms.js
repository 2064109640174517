// Forms that write: what they send as JSON:API, how they show what they hold, and what is wrong with it.

document.addEventListener('DOMContentLoaded', () => {
  for (const field of document.querySelectorAll('[data-kind="datetime"]')) toZone(field)
  for (const shown of document.querySelectorAll('[data-zone]')) shown.textContent = zone
  for (const field of document.querySelectorAll('form[data-send] :is([data-type], [data-type-from])')) makeChips(field)
  for (const form of document.querySelectorAll('#create > form')) restore(form)
})

const mediaType = 'application/vnd.api+json'
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A control has an instant in UTC; its reader sees it in their own zone, as everywhere else on the page. */
function toZone(field) {
  const at = new Date(`${field.value}Z`)
  if (field.value === '' || Number.isNaN(at.getTime())) return
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, field.value.length)
  field.defaultValue = local
  field.value = local
}

// A form that no script sends has them in UTC.
document.addEventListener('formdata', ({ target, formData }) => {
  for (const { name, value, dataset } of target.elements)
    if (dataset?.kind === 'datetime' && value !== '') formData.set(name, instantOf(value).slice(0, -1))
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.dataset.send) return
  event.preventDefault()
  send(form)
})

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
  const isUpdate =
    form.dataset.send === 'PATCH' && field.dataset.pointer !== '/data' && field.dataset.pointer.startsWith('/data/')
  if (isUpdate && !isChanged(field)) return undefined
  if (field.type === 'checkbox') return field.checked
  if (kind === 'many') return manyOf(field, isUpdate)
  if (textOf(field) === '') return emptyOf(field, isUpdate)
  if (kind === 'one') return { type: typeOf(field), id: idOf(field) }
  if (kind === 'number') return numberOf(field.value)
  if (kind === 'boolean') return field.value === 'true'
  if (kind === 'datetime') return instantOf(field.value)
  if (kind === 'json') return jsonOf(field)
  return field.value
}

/** What is no number of JSON stays text, which the rules refuse. */
const numberOf = (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** What a control has for an instant, in the zone of its reader, as JSON:API has it. */
function instantOf(text) {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString().replace('.000Z', 'Z')
}

const isChanged = (field) => field.dataset.touched !== undefined || currentOf(field) !== initialOf(field)

const currentOf = (field) => (field.type === 'checkbox' ? String(field.checked) : (linkText(field) ?? field.value))

function initialOf(field) {
  if (field.initial !== undefined) return field.initial
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

function manyOf(field, isUpdate) {
  const ids = idsIn(textOf(field))
  if (ids.length === 0 && field.dataset.pointer !== '/data' && !isUpdate) return undefined
  return ids.map((id) => ({ type: typeOf(field), id }))
}

/** Between ids are commas; a comma of an id has a backslash before it, and so has a backslash. */
const idsIn = (text) =>
  [...text.matchAll(/(?:\\[\\,]|[^,])+/g)].flatMap(([each]) => each.trim().replace(/\\([\\,])/g, '$1') || [])

/** What is written into a field, and the ids of what was chosen by its name. */
function textOf(field) {
  if (!field.chosen) return field.value
  return [...[...field.chosen.keys()].map(escaped), field.value.trim()].filter((text) => text !== '').join(', ')
}

/** The one id of a field, which stands in a document as it is. */
const idOf = (field) => (field.chosen?.size > 0 ? [...field.chosen.keys()][0] : field.value.trim())

/** What a field names, with its type where that is chosen; undefined for other fields. */
const linkText = (field) => field.chosen && `${'typeFrom' in field.dataset ? typeOf(field) : ''} ${textOf(field)}`

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
/** What is only searched for is not chosen yet. */
const isSearch = ({ chosen, initial }) => chosen?.size === 0 && initial.trim() === ''
const isUnsaved = (form) =>
  form.dataset.sent === undefined && fieldsOf(form).some((field) => isChanged(field) && !isSearch(field))

document.addEventListener('input', ({ target }) => {
  const unsaved = target.form?.querySelector('.unsaved')
  if (unsaved) unsaved.hidden = !isUnsaved(target.form)
})
addEventListener('beforeunload', (event) => {
  if ([...document.querySelectorAll('form[data-send]')].some(isUnsaved)) event.preventDefault()
})

// What is written in a form stays in this tab while its reader makes what a field of it could name. Secrets do not.

const draftName = 'prismapi-draft'
const keptOf = (form) =>
  [...form.elements].filter(
    ({ name, type, dataset }) => name && dataset.secret === undefined && !['hidden', 'checkbox'].includes(type),
  )

document.addEventListener('click', ({ target }) => {
  const form = target.closest('.field a.new')?.closest('form[data-send]')
  if (!form) return
  const values = keptOf(form).map((field) => [field.name, field.value, [...(field.chosen ?? [])]])
  sessionStorage.setItem(draftName, JSON.stringify({ of: form.getAttribute('action'), values }))
  form.dataset.sent = ''
})

/** Writes it again once the reader is back, but in the field that names what was made. */
function restore(form) {
  const { of, values = [] } = JSON.parse(sessionStorage.getItem(draftName) ?? '{}')
  if (of !== form.getAttribute('action')) return
  sessionStorage.removeItem(draftName)
  const back = form.querySelector('[data-back]')
  for (const [name, value, chosen = []] of values) {
    const field = form.elements[name]
    if (value !== '' && field?.dataset?.pointer) unfold(field)
    const isTaken = back && textOf(back) !== ''
    if (!field || (isTaken && name === `type:${back.dataset.pointer}`)) continue
    const isMade = field === back && isTaken
    if (value !== '' && (!isMade || field.dataset.kind === 'many')) field.value = value
    if (!field.chosen || (isMade && field.dataset.kind !== 'many')) continue
    field.chosen = new Map([...chosen, ...field.chosen])
    showChips(field)
  }
  unfold(back ?? form.elements[0]).focus()
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
  return kind === 'datetime' && text !== '' ? instantText(text) : text
}

/** To the second, in the zone of its reader. */
const instantText = (text) =>
  new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' })

const truthText = (text) => (text === 'true' ? said('yes') : text === 'false' ? said('no') : text)

function storedText(field, document) {
  const { kind, pointer } = field.dataset
  let value = document
  for (const name of pointer.slice(1).split('/')) value = value?.[name]
  if (value === undefined || value === null) return ''
  if (kind === 'boolean') return truthText(String(value))
  const text = typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
  // As the control would have it, which writes the ends of lines in a way of its own.
  return kind === 'datetime' ? instantText(text) : text.replaceAll('\r\n', '\n')
}

function nextOf(form, response, answer) {
  const { next, made, to } = form.dataset
  const created = response.status === 201 ? answer?.data : undefined
  if (next && made !== undefined && created)
    return `${next}${next.includes('?') ? '&' : '?'}-made=${encodeURIComponent(`${created.type}/${created.id}`)}`
  if (next) return next
  const id = created?.id
  // Without the fragment: to go to one of the same page loads nothing.
  return id === undefined ? location.pathname + location.search : `${to}/${encodeURIComponent(id)}?-did=create`
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
  const wrong = new Set()
  for (const error of errors) {
    const text = error.detail ?? error.title
    const field = fieldOf(form, error)
    if (!field) {
      others.push(text)
      continue
    }
    wrong.add(field)
    field.setAttribute('aria-invalid', 'true')
    add(document.getElementById(`${field.id}-error`), text)
  }
  const alert = form.querySelector('[role="alert"]')
  for (const text of others) add(alert, text)
  if (wrong.size === 1) add(alert, said('Not saved: one field needs your attention.'))
  if (wrong.size > 1) add(alert, said('Not saved: {0} fields need your attention.', wrong.size))
  for (const field of wrong) unfold(field)
  const [first] = wrong
  ;(first ?? form.querySelector('button')).focus()
}

/** Opens what a field is folded in. */
function unfold(field) {
  const folded = field.closest('details')
  if (folded) folded.open = true
  return field
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

// What a field names stands in it as chips; each is taken out by its button.

function chooseChip(field, { id, label, before }) {
  const isMany = field.dataset.kind === 'many'
  if (!isMany) field.chosen.clear()
  field.chosen.set(id, label)
  field.value = isMany ? before.replace(/[,\s]*$/, '') : ''
  showChips(field)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function makeChips(field) {
  const names = JSON.parse(field.dataset.labels ?? '{}')
  const ids = field.dataset.kind === 'many' ? idsIn(field.value) : [field.value.trim()].filter((id) => id !== '')
  field.chosen = new Map(ids.filter((id) => Object.hasOwn(names, id)).map((id) => [id, names[id]]))
  field.value = ids
    .filter((id) => !field.chosen.has(id))
    .map(escaped)
    .join(', ')
  field.initial = linkText(field)
  field.choose = (option) => chooseChip(field, option)
  if (field.nextElementSibling?.localName === 'input') field.nextElementSibling.after(makeChipList(field))
  else field.after(makeChipList(field))
  field.form.querySelector(`output[for="${field.id}"]`)?.remove()
  showChips(field)
}

function makeChipList(field) {
  field.chips = document.createElement('span')
  field.chips.className = 'chosen'
  return field.chips
}

function showChips(field) {
  const { chosen, chips } = field
  chips.replaceChildren(
    ...[...chosen].map(([id, label]) => {
      const chip = document.createElement('span')
      chip.className = 'chip-in'
      const out = document.createElement('button')
      out.type = 'button'
      out.className = 'x'
      out.textContent = '×'
      out.setAttribute('aria-label', said('Remove {0}', label))
      out.addEventListener('click', () => {
        chosen.delete(id)
        showChips(field)
        field.focus()
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
      chip.append(label, out)
      return chip
    }),
  )
  // One alone has its place.
  field.hidden = field.dataset.kind !== 'many' && chosen.size > 0
}

// Json is checked while it is written.

document.addEventListener('input', ({ target }) => {
  if (target.dataset?.kind !== 'json' || target.localName !== 'textarea') return
  const place = document.getElementById(`${target.id}-error`)
  const fault = jsonFault(target.value)
  target.toggleAttribute('aria-invalid', false)
  if (fault !== null) target.setAttribute('aria-invalid', 'true')
  place.textContent = fault ?? ''
  place.hidden = fault === null
})

/** Where a text stops to be Json; null where it is. */
function jsonFault(text) {
  if (text.trim() === '') return null
  try {
    JSON.parse(text, finite)
    return null
  } catch ({ message }) {
    const [, at] = /position (\d+)/.exec(message) ?? []
    if (at === undefined) return said('This is not JSON.')
    const before = text.slice(0, Number(at)).split('\n')
    return said('This is not JSON: look at line {0}, character {1}.', before.length, before.at(-1).length + 1)
  }
}
