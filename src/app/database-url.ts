/** The kind of the database at a URL that `readEnv` has checked, by Prisma's name. */
export const providerOf = (url: string): 'sqlite' | 'postgresql' => (url.startsWith('file:') ? 'sqlite' : 'postgresql')

/** The URL of a database as it may be printed: without the password. */
export function shownUrl(url: string): string {
  if (providerOf(url) === 'sqlite') return url
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}
