import path from 'node:path'
import type { MarkdownOptions } from 'vitepress'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parseInline']>[number]

/** What is linked from `docs/` but is not in it, such as `../CHANGELOG.md`, is named by the site and not linked. */
export function withoutOutsideLinks(md: Markdown): void {
  md.core.ruler.push('outside-links', ({ tokens, env }) => {
    for (const token of tokens) token.children = token.children && unlinked(token.children, env.relativePath)
  })
}

function unlinked(tokens: readonly Token[], page: string): Token[] {
  let isOutside = false
  return tokens.filter((token) => {
    if (token.type === 'link_open') isOutside = leavesDocs(token.attrGet('href') ?? '', page)
    return !isOutside || !['link_open', 'link_close'].includes(token.type)
  })
}

const leavesDocs = (href: string, page: string): boolean =>
  !/^\w+:/.test(href) && path.posix.normalize(path.posix.join(path.posix.dirname(page), href)).startsWith('../')
