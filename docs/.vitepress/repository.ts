/** Where the repository can be read, as `package.json` names it: `https://example.com/owner/name`; null where it does not. */
export function repositoryOf(manifest: { readonly repository?: string | { readonly url: string } }): string | null {
  const { repository } = manifest
  const url = typeof repository === 'string' ? repository : repository?.url
  return url?.replace(/^git\+/, '').replace(/\.git$/, '') ?? null
}

/** The link below each page that leads to its source; none without a repository. */
export const editLinkOf = (repository: string | null) =>
  repository === null ? undefined : { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' }

/** A line of a file, as a link where there is a repository to lead to. */
export function sourceLink(file: string, line: number, repository: string | null): string {
  const place = `\`${file}:${line}\``
  return repository === null ? `Source: ${place}` : `Source: [${place}](${repository}/blob/main/${file}#L${line})`
}
