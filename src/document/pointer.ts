/**
 * Appends members to a JSON pointer (RFC 6901): `~` and `/` inside a name are escaped.
 *
 * @example
 * pointer('/data/attributes', 'a/b') // '/data/attributes/a~1b'
 */
export const pointer = (base: string, ...members: readonly (string | number)[]): string =>
  members.reduce<string>((path, member) => `${path}/${escapeMember(String(member))}`, base)

const escapeMember = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1')
