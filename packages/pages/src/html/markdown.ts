import { lexer, type Token, type Tokens } from 'marked'
import { type Content, html } from './html.ts'
import { isMailAddress, isPathHere, isWebAddress } from './links.ts'

/**
 * A text with Markdown, as HTML that our templates write: HTML of its own stays text, and only addresses of the web,
 * paths of this origin and addresses to write to become links.
 */
export const markdown = (text: string): Content => all(lexer(text, { gfm: true }))

const all = (tokens: readonly Token[] | undefined): Content => (tokens ?? []).map((token) => one(token as Marked))

/** What marked finds in a text, without the kinds that plugins add. */
type Marked =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Text

function one(token: Marked): Content {
  switch (token.type) {
    case 'heading':
      // The page has the first two levels.
      return html`<p class="h" role="heading" aria-level="${Math.min(6, token.depth + 2)}">${all(token.tokens)}</p>`
    case 'paragraph':
      return html`<p>${all(token.tokens)}</p>`
    case 'text':
      return 'tokens' in token && token.tokens ? all(token.tokens) : unescaped(token.text)
    case 'strong':
      return html`<strong>${all(token.tokens)}</strong>`
    case 'em':
      return html`<em>${all(token.tokens)}</em>`
    case 'del':
      return html`<del>${all(token.tokens)}</del>`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'code':
      return html`<pre><code>${token.text}</code></pre>`
    case 'blockquote':
      return html`<blockquote>${all(token.tokens)}</blockquote>`
    case 'list':
      return listed(token as Tokens.List)
    case 'table':
      return tabled(token as Tokens.Table)
    case 'link':
      return linked(token.href, all(token.tokens))
    case 'image':
      return linked(token.href, token.text || token.href)
    case 'br':
      return html`<br>`
    case 'hr':
      return html`<hr>`
    case 'space':
    case 'def':
      return null
    default:
      return token.text
  }
}

const linked = (href: string, content: Content): Content => {
  const isMail = href.startsWith('mailto:') && isMailAddress(href.slice(7))
  return isMail || isWebAddress(href) || isPathHere(href)
    ? html`<a href="${href}" rel="noreferrer noopener">${content}</a>`
    : content
}

function listed({ ordered, items }: Tokens.List): Content {
  const lines = items.map((item) => html`<li>${item.task && (item.checked ? '☑ ' : '☐ ')}${all(item.tokens)}</li>`)
  return ordered ? html`<ol>${lines}</ol>` : html`<ul>${lines}</ul>`
}

const tabled = ({ header, rows }: Tokens.Table): Content =>
  html`<table class="rows"><thead><tr>${header.map(({ tokens }) => html`<th scope="col">${all(tokens)}</th>`)}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map(({ tokens }) => html`<td>${all(tokens)}</td>`)}</tr>`,
  )}</tbody></table>`

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (code) => characters[code] ?? code)

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
