import { operationsPath } from '@prismapi/jsonapi/request/operation'
import { saysSecret } from '@prismapi/jsonapi/schema/secrets'
import { type PageRequest, sentSeal, sentToken, typeMark } from '../data/page-request.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { signing as signingWords, values as valueWords } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'
import { written as words } from '../texts/writing.ts'
import { type Written, writtenIn } from './sent-fields.ts'

/**
 * What a reader wrote into a form that cannot be shown again: they are signed out, may not send it any more, or its
 * resource is gone. A guest signs in below it, which sends the form. Passwords are not kept.
 */
export function written(browsed: PageRequest, shownAgain: ReadonlySet<string> = new Set()): Content {
  const { sent, signsIn } = browsed
  if (!sent) return null
  const isSecret = secretsOf(browsed)
  const fields = writtenIn(sent)
    .filter(({ control }) => !shownAgain.has(control))
    .map((each) => (each.name === 'data' ? { ...each, name: lastOf(browsed.path) } : each))
  const shown = fields.filter((each) => !isSecret(each))
  const secrets = fields.filter(isSecret)
  if (shown.length === 0 && !signsIn) return null
  return html`<section id="written">${shown.length > 0 && html`<h2>${words.title}</h2><dl class="card">${shown.map(entry)}</dl>`}
${signsIn && sendAgain(browsed, sent, secrets)}</section>`
}

const entry = ({ name, kind, text }: Written): Html =>
  html`<div><dt>${titleOf(name)}</dt><dd><span class="text">${kind === 'boolean' ? told(text) : text}</span></dd></div>`

const told = (text: string): Content => (text === 'true' ? valueWords.yes : text === 'false' ? valueWords.no : text)

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The form as it was sent, with a token in place of what said who sends it. */
function sendAgain({ path, search, own }: PageRequest, sent: URLSearchParams, secrets: readonly Written[]): Html {
  const left = new Set([sentSeal, sentToken, ...secrets.map(({ control }) => control)])
  const query = [search.slice(1), own.toString()].filter((part) => part !== '').join('&')
  const kept = [...sent].filter(([name]) => !left.has(name))
  return html`<form class="asks" method="post" action="${path}${query && `?${query}`}">${kept.map(([name, value]) => hidden(name, value))}
${secrets.map(
  ({ control, name }, i) =>
    html`<p class="field"><label for="written-${i}">${titleOf(name)}</label> <input type="password" id="written-${i}" name="${control}" autocomplete="new-password"></p>`,
)}<p class="field"><label for="written-token">${signingWords.token}</label> <input type="password" id="written-token" name="${sentToken}" required autocomplete="off"></p>
<button>${words.send}</button></form>`
}

/** Does a field hold what is shown to nobody, by its schema or by its name. */
function secretsOf({ server, path, sent }: PageRequest): (field: Written) => boolean {
  const [first = ''] = path.slice(server.basePath.length + 1).split('/')
  const type = `/${first}` === operationsPath ? (sent?.get(typeMark) ?? '') : first
  const schema = server.schemas.byType.get(type)
  return ({ name }) => schema?.attributes.get(name)?.writeOnly === true || saysSecret(schema?.model.name ?? '', name)
}
