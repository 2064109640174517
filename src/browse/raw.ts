import { type Html, html } from './html.ts'

const mediaType = 'application/vnd.api+json'

/** The request for a command line, and the document as it came. */
export function raw(url: string, document: object, { isSignedIn }: { readonly isSignedIn: boolean }): Html {
  // The token itself stands in no page.
  const authorization = isSignedIn ? ` -H "Authorization: Bearer $TOKEN"` : ''
  const command = `curl -g -H 'Accept: ${mediaType}'${authorization} '${url.replaceAll("'", "'\\''")}'`
  return html`<section class="raw"><h2>The request and its answer</h2>
<pre tabindex="0" aria-label="The request, for a shell"><code>${command}</code></pre>
<details><summary>The document</summary><pre tabindex="0" aria-label="The document"><code>${JSON.stringify(document, null, 2)}</code></pre></details></section>`
}
