// Keeps the page of a collection up to date: when its stream tells of a change, the page is read again, as its caller sees it. Only
// what differs is replaced, so that focus and selection stay.

const [together, markedFor, shortestWait, longestWait, readAgain] = [150, 10_000, 1000, 60_000, 5000]
const parts = [...document.querySelectorAll('[data-stream]')]
const status = document.createElement('p')
status.className = 'changes'
status.role = 'status'
document.querySelector('main').append(status)

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** Names of resources, by the last event about them since the page was read. */
const told = new Map()
let [lastId, open] = ['', null]

document.addEventListener('visibilitychange', openWhileVisible)
openWhileVisible()

/** Browsers have few connections: a page that is not seen holds none. */
function openWhileVisible() {
  if (document.visibilityState === 'hidden') {
    open?.abort()
    open = null
  } else if (open === null) {
    open = new AbortController()
    follow(open)
  }
}

/** Until it is aborted, or refused: then the page stays as it is. */
async function follow({ signal }) {
  let wait = shortestWait
  while (!signal.aborted) {
    try {
      const response = await fetch(parts[0].dataset.stream, { signal, headers: headersNow() })
      if (response.ok) {
        wait = shortestWait
        await read(response.body)
      } else if (!mayBeLater(response)) return
    } catch (error) {
      // The server is away, or the page is not seen any more.
      if (!signal.aborted && !(error instanceof TypeError)) throw error
    }
    await pause(wait)
    wait = Math.min(2 * wait, longestWait)
  }
}

const mayBeLater = ({ status }) => status === 429 || status >= 500

function headersNow() {
  const { seal } = document.body.dataset
  return {
    Accept: 'text/event-stream',
    ...(seal && { 'Browse-Seal': seal }),
    ...(lastId && { 'Last-Event-ID': lastId }),
  }
}

async function read(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) take(block)
  }
}

function take(block) {
  // At the line ends of the standard alone: a text may have others, such as U+2028.
  const lines = block.split('\n')
  const field = (name) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart() ?? ''
  const event = field('event')
  if (event === '') return
  lastId = field('id')
  const { data, reason } = JSON.parse(field('data'))
  if (event === 'end') {
    if (reason !== 'draining') open?.abort()
    return
  }
  if (event === 'upsert' || event === 'remove') told.set(`${data.type}/${data.id}`, event)
  // The snapshot, too: something may have changed since the page was made.
  if (event !== 'reset') update()
}

let [isDue, isUpdating] = [false, false]

/** Reads the page again, once for all that happens meanwhile. */
async function update() {
  isDue = true
  if (isUpdating) return
  isUpdating = true
  while (isDue) {
    await pause(together)
    isDue = false
    const page = await pageNow()
    if (page) showPage(page)
    else if (isDue) await pause(readAgain)
  }
  isUpdating = false
}

/** Null where it could not be read; it is due again where it may be later. */
async function pageNow() {
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
    if (response.ok) return new DOMParser().parseFromString(await response.text(), 'text/html')
    isDue ||= mayBeLater(response)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    isDue = true
  }
  return null
}

function showPage(page) {
  // Of browse.js. The texts of instants are compared as they are shown, on a page that is slow to load, too.
  for (const each of [document, page]) globalThis.showInstants(each)
  const focused = document.activeElement
  const fresh = [...page.querySelectorAll('[data-stream]')]
  let count = 0
  for (const [i, part] of parts.entries()) if (fresh[i]) count += showPart(part, fresh[i])
  // What was told since the page was asked for may be of the next one.
  if (!isDue) told.clear()
  focusAgain(focused)
  if (count > 0) tell(count)
}

function tell(count) {
  status.textContent = count === 1 ? globalThis.said('1 change') : globalThis.said('{0} changes', count)
  clearTimeout(status.clearing)
  status.clearing = setTimeout(() => {
    status.textContent = ''
  }, markedFor)
}

/** How many rows have changed. */
function showPart(part, fresh) {
  const [table, freshTable] = [part, fresh].map((each) => each.querySelector('table.rows'))
  if (!table || !freshTable) {
    if (!table && isSame(part, fresh)) return 0
    keepChosen(part, fresh)
    part.replaceChildren(...fresh.childNodes)
    return freshTable ? markAll(freshTable) : table ? rowsOf(table.tBodies[0]).length : 0
  }
  replaceIfOther(table.tHead, freshTable.tHead)
  const count = showRows(table.tBodies[0], freshTable.tBodies[0])
  showBeside(part, fresh)
  return count
}

const rowsOf = (body) => [...body.rows].filter((row) => !row.classList.contains('gone'))

function markAll({ tBodies: [body] }) {
  for (const row of body.rows) markChanged(row)
  return body.rows.length
}

function replaceIfOther(element, fresh) {
  if (isSame(element, fresh)) return
  keepChosen(element, fresh)
  element.replaceChildren(...fresh.childNodes)
}

// What pages write. Extensions of browsers add attributes of their own, and readers open and tick.
const compared = ['class', 'href', 'src', 'datetime', 'data-label', 'aria-sort', 'value', 'rel']

/** Does it say the same, whatever its reader has opened. */
const isSame = (element, fresh) => written(element) === written(fresh)

function written(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data
  if (node.nodeType !== Node.ELEMENT_NODE) return ''
  const attributes = compared.map((name) => node.getAttribute(name)?.replace(/ ?\bchanged\b/, '') ?? '')
  return `<${node.tagName} ${attributes}>${[...node.childNodes].map(written).join('')}`
}

/** What stands above and below the table. */
function showBeside(part, fresh) {
  const others = (each) => [...each.children].filter((child) => !child.matches('.scroll'))
  const all = (each) => others(each).map(written).join()
  if (all(part) === all(fresh)) return
  for (const each of others(part)) each.remove()
  const table = part.querySelector('.scroll')
  const [above, below] = [[], []]
  for (const each of others(fresh)) (each.matches('.scroll ~ *') ? below : above).push(each)
  table.before(...above)
  table.after(...below)
}

/** `posts/7` */
const nameOf = (row) =>
  new URL(row.querySelector('th a').href, location).pathname.split('/').slice(-2).map(decodeURIComponent).join('/')

function showRows(body, fresh) {
  const before = new Map(rowsOf(body).map((row) => [nameOf(row), row]))
  const after = new Map([...fresh.rows].map((row) => [nameOf(row), row]))
  let count = 0
  for (const [name, row] of before) {
    if (after.has(name)) continue
    // What is on another page now is not gone.
    if (told.get(name) !== 'remove') row.remove()
    else count += markGone(row)
  }
  let at = body.firstElementChild
  for (const [name, freshRow] of after) {
    while (at?.classList.contains('gone')) at = at.nextElementSibling
    const row = before.get(name) ?? freshRow
    const isOther = row === freshRow ? told.get(name) === 'upsert' : showCells(row, freshRow)
    if (row === at) at = at.nextElementSibling
    else body.insertBefore(row, at)
    if (isOther) count += markChanged(row)
  }
  return count
}

/** Whether any has changed. */
function showCells(row, fresh) {
  if (isSame(row, fresh)) return false
  if (row.cells.length === fresh.cells.length)
    for (const [i, cell] of [...row.cells].entries()) replaceIfOther(cell, fresh.cells[i])
  else {
    keepChosen(row, fresh)
    row.replaceChildren(...fresh.childNodes)
  }
  return true
}

function markChanged(row) {
  row.classList.remove('changed')
  // For the animation to begin again.
  void row.offsetWidth
  row.classList.add('changed')
  clearTimeout(row.clearing)
  row.clearing = setTimeout(() => row.classList.remove('changed'), markedFor)
  return 1
}

function markGone(row) {
  const word = document.createElement('span')
  word.className = 'mark'
  word.textContent = globalThis.said('removed')
  row.className = 'gone'
  row.querySelector('th').append(word)
  setTimeout(() => {
    if (row.contains(document.activeElement)) row.closest('.scroll').focus()
    row.remove()
  }, markedFor)
  return 1
}

/** What the reader has opened or closed, and ticked, stays so. */
function keepChosen(part, fresh) {
  const [shown, next] = [part, fresh].map((each) => [...each.querySelectorAll('details')])
  for (const [i, details] of next.entries()) if (shown[i]) details.open = shown[i].open
  const ticked = new Set([...part.querySelectorAll(':checked[value]')].map(({ value }) => value))
  for (const box of fresh.querySelectorAll('[type="checkbox"]')) box.checked = ticked.has(box.value)
}

/** A link that was replaced gives the focus to the one that leads to the same place, or to a page of the same kind. */
function focusAgain(focused) {
  if (document.activeElement === focused) return
  if (focused.isConnected) return focused.focus({ preventScroll: true })
  const href = focused.getAttribute('href')
  const links = parts.flatMap((part) => [...part.querySelectorAll('a[href]')])
  const link = links.find((each) => each.getAttribute('href') === href)
  const ofPages = links.find((each) => each.rel === focused.rel && each.matches('.pages a'))
  ;(link ?? ofPages)?.focus({ preventScroll: true })
}
