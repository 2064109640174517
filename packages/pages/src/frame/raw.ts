import type { PageRequest } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { withParameters } from '../html/links.ts'
import { raw as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import { typedRequest } from './typed-request.ts'

const mediaType = 'application/vnd.api+json'
/** A document that is longer is shown to who asks for it: it would be most of the page. */
const shownLength = 6000

interface Shown extends PageRequest {
  readonly url: string
  readonly isSignedIn: boolean
}

/** The request for a command line and for a program, and the document as it came. */
export function raw(shown: Shown): Html {
  const { url, document, isSignedIn } = shown
  // The token itself stands in no page.
  const authorization = isSignedIn ? ` -H "Authorization: Bearer $TOKEN"` : ''
  const command = `curl -g -H 'Accept: ${mediaType}'${authorization} '${url.replaceAll("'", "'\\''")}'`
  return html`<section class="raw" id="document"><h2>${words.title}</h2>
${code(words.command, command)}
<details><summary>${words.program}</summary>${code(words.program, program(url, isSignedIn))}</details>
${typed(typedRequest(shown, isSignedIn))}
${documentShown(document, shown)}</section>`
}

/** What can be copied, by the pages' script. */
const code = (label: Words, text: string): Html =>
  html`<div class="code"><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${words.copied}" data-refused="${words.notCopied}" aria-live="polite" hidden>${words.copy}</button></div>`

const typed = (text: string | null): Content =>
  text !== null && html`<details><summary>${words.typed}</summary>${code(words.typed, text)}</details>`

const program = (url: string, isSignedIn: boolean): string =>
  `const response = await fetch(${JSON.stringify(url)}, {
  headers: { Accept: '${mediaType}'${isSignedIn ? ", Authorization: 'Bearer ' + token" : ''} },
})
const { data, included } = await response.json()`

function documentShown(document: object, { path, search, own }: Pick<Shown, 'path' | 'search' | 'own'>): Content {
  const text = JSON.stringify(document, null, 2)
  const isAsked = own.get('-show') === 'document'
  if (text.length > shownLength && !isAsked)
    return html`<p><a href="${path + withParameters(search, { '-show': 'document' })}#document">${words.show}</a></p>`
  return html`<details${isAsked && html` open`}><summary>${words.document}</summary>${code(words.document, text)}</details>`
}
