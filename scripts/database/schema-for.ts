export type Provider = 'postgresql' | 'mysql'

/**
 * The example's Prisma schema, made for another database: its provider, the native types that it needs there, and the
 * folder that `./generated` is when seen from where the schema will stand.
 */
export function schemaFor(provider: Provider, schema: string, generated: string): string {
  return schema
    .replace('provider = "sqlite"', `provider = "${provider}"`)
    .replaceAll('= "./generated', `= "${generated}`)
    .split('\n')
    .map(withNative[provider])
    .join('\n')
}

const withNative: Readonly<Record<Provider, (line: string) => string>> = {
  // An instant, whatever the time zone of a session; milliseconds, because that is what JavaScript keeps of it.
  postgresql: (line) => (/^ +\w+ +DateTime\b/.test(line) ? `${line} @db.Timestamptz(3)` : line),
  // Prisma makes a String 191 characters long there, so that it can be indexed.
  mysql: (line) =>
    /^ +(?!(?:model|key) )\w+(?<!Id) +String\b(?!.*(@id|@unique))/.test(line) ? `${line} @db.Text` : line,
}
